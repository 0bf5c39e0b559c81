import { AppError } from "@/lib/core/errors.ts";
import { readBlob } from "@/lib/store/blob.ts";
import type { ChatApp } from "../app.ts";
import type { PictureStream } from "../pictures.ts";
import type { CustomEmojiRef } from "../rendering/context.ts";
import { emojiKeys, emojiUrl, MAX_EMOJI_NAME, type RealmEmojiRecord, STILL_SUFFIX } from "./model.ts";

/** Maximum number of different names looked up for one text; further names stay text. */
const MAX_NAMES = 500;

/** Reads the active custom emoji with a name; null if there is none. */
export async function findRealmEmoji(
  app: ChatApp,
  realmId: number,
  name: string,
): Promise<RealmEmojiRecord | null> {
  if (name.length > MAX_EMOJI_NAME) return null;
  const id = await app.reads.read<number>(emojiKeys.byName(realmId, name));
  return id === null ? null : await readRealmEmoji(app, realmId, id);
}

/** Reads a custom emoji by its id, active or deactivated; null if there is none. */
export function readRealmEmoji(app: ChatApp, realmId: number, id: number): Promise<RealmEmojiRecord | null> {
  return Number.isSafeInteger(id)
    ? app.reads.read<RealmEmojiRecord>(emojiKeys.emoji(realmId, id))
    : Promise.resolve(null);
}

/** Reads the active custom emoji that a text may mention, by name. */
export async function readMentionedEmoji(
  app: ChatApp,
  realmId: number,
  text: string,
): Promise<ReadonlyMap<string, CustomEmojiRef>> {
  const names = new Set<string>();
  // A colon ends one name and begins another.
  for (const part of text.split(":").slice(1, -1)) {
    if (/^[0-9a-z._-]{1,100}$/.test(part) && names.size < MAX_NAMES) names.add(part);
  }
  const found = await Promise.all([...names].map((name) => findRealmEmoji(app, realmId, name)));
  return new Map(
    found.filter((emoji) => emoji !== null).map((emoji) => [emoji.name, {
      code: String(emoji.id),
      type: "realm_emoji",
      url: emojiUrl(realmId, emoji),
    }]),
  );
}

/**
 * Opens the picture of a custom emoji, active or deactivated. `name` is its id, followed by `-still.png` for
 * the still picture of an animated one.
 * @throws AppError NOT_FOUND.
 */
export async function getEmojiPicture(app: ChatApp, realmId: number, name: string): Promise<PictureStream> {
  const isStill = name.endsWith(STILL_SUFFIX);
  const id = isStill ? name.slice(0, -STILL_SUFFIX.length) : name;
  const emoji = /^\d{1,15}$/.test(id) ? await readRealmEmoji(app, realmId, Number(id)) : null;
  const size = isStill ? emoji?.still_size : emoji?.size;
  if (emoji === null || size === undefined) throw new AppError("NOT_FOUND", "Nothing is here.");
  const start = isStill ? emoji.size : 0;
  const content = readBlob(app.store.kv, emojiKeys.picture(realmId, emoji.picture), {
    start,
    end: start + size,
  });
  return { contentType: isStill ? "image/png" : emoji.content_type, size, content };
}
