import type { Key } from "@/lib/store/key.ts";

/** A picture that an organization uses as an emoji. */
export interface RealmEmojiRecord {
  readonly id: number;
  /** Lowercase letters, digits, `_`, `-` and `.`. */
  readonly name: string;
  readonly author_id: number;
  /** Whether new uses are refused; existing uses still show the picture. */
  readonly deactivated: boolean;
  /** Media type of the picture, detected from its first bytes. */
  readonly content_type: string;
  /** Size of the picture in bytes. */
  readonly size: number;
  /** Size of the still picture of an animated one, which follows its bytes; missing if there is none. */
  readonly still_size?: number;
  /** Unique name of the picture's blob. */
  readonly picture: string;
}

export interface NamedEmoji {
  readonly emoji_name: string;
  /** Code points of a standard emoji, id of a custom emoji, or name of an extra emoji of the service. */
  readonly emoji_code: string;
  /** `unicode_emoji`, `realm_emoji` or `service_extra_emoji`. */
  readonly reaction_type: string;
}

/** Maximum length of an emoji's name, in UTF-16 units. */
export const MAX_EMOJI_NAME = 100;

export const EMOJI_NAMES_PATH = "/emoji/names.json";

/** Key part of the emoji pictures' chunks, after the organization's id. */
export const EMOJI_PLACE = "emoji_picture";

export const emojiKeys = {
  all: (realmId: number): Key => [realmId, "emoji"],
  emoji: (realmId: number, id: number): Key => [realmId, "emoji", id],
  names: (realmId: number): Key => [realmId, "emoji_by_name"],
  /** Id of the active emoji with a name. */
  byName: (realmId: number, name: string): Key => [realmId, "emoji_by_name", name],
  /** Number of emoji, including deactivated ones. */
  count: (realmId: number): Key => [realmId, "emoji_count"],
  /** Chunks of a picture, by the unique name of its blob. */
  picture: (realmId: number, blob: string): Key => [realmId, EMOJI_PLACE, blob],
};

/** Returns the URL path of a custom emoji's picture. */
export function emojiUrl(realmId: number, { id }: Pick<RealmEmojiRecord, "id">): string {
  return `/emoji/${realmId}/${id}`;
}

/** End of the URL path of an animated emoji's still picture. */
export const STILL_SUFFIX = "-still.png";

export function toRealmEmoji(realmId: number, emoji: RealmEmojiRecord) {
  const { id, name, deactivated, author_id, still_size } = emoji;
  return {
    id: String(id),
    name,
    source_url: emojiUrl(realmId, emoji),
    still_url: still_size === undefined ? null : `${emojiUrl(realmId, emoji)}${STILL_SUFFIX}`,
    deactivated,
    author_id,
  };
}
