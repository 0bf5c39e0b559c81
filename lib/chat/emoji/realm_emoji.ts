import type { Key } from "@/lib/kv/key.ts";
import type { ChatApp } from "../app.ts";

/** A picture that an organization uses as an emoji. */
export interface RealmEmojiRecord {
  readonly id: number;
  /** Small letters, digits, `_`, `-` and `.`. */
  readonly name: string;
  readonly author_id: number;
  /** Nobody can use it any more; where it was used, it still shows. */
  readonly deactivated: boolean;
  /** The picture's media type, as its first bytes tell it. */
  readonly content_type: string;
  /** Bytes. */
  readonly size: number;
  /** What its picture is kept under. */
  readonly picture: string;
}

/** What the keys of pictures begin with behind the organization's id. */
export const EMOJI_PLACE = "emoji_picture";

/** Where custom emoji lie in the store. */
export const emojiKeys = {
  all: (realmId: number): Key => [realmId, "emoji"],
  emoji: (realmId: number, id: number): Key => [realmId, "emoji", id],
  /** The id of the emoji in use that has this name. */
  byName: (realmId: number, name: string): Key => [realmId, "emoji_by_name", name],
  /** How many there are, also of those out of use. */
  count: (realmId: number): Key => [realmId, "emoji_count"],
  /** The picture, by a name that is used once. */
  picture: (realmId: number, unique: string): Key => [realmId, EMOJI_PLACE, unique],
};

/** No name of an emoji is longer, in UTF-16 units. */
export const MAX_EMOJI_NAME = 100;

/** The custom emoji in use that has a name, or null. */
export async function findRealmEmoji(
  app: ChatApp,
  realmId: number,
  name: string,
): Promise<RealmEmojiRecord | null> {
  if (name.length > MAX_EMOJI_NAME) return null;
  const id = await app.reads.read<number>(emojiKeys.byName(realmId, name));
  return id === null ? null : await readRealmEmoji(app, realmId, id);
}

/** A custom emoji by its id, in use or not; or null. */
export function readRealmEmoji(app: ChatApp, realmId: number, id: number): Promise<RealmEmojiRecord | null> {
  return Number.isSafeInteger(id)
    ? app.reads.read<RealmEmojiRecord>(emojiKeys.emoji(realmId, id))
    : Promise.resolve(null);
}
