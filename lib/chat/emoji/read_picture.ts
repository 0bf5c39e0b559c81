import { AppError } from "@/lib/core/errors.ts";
import { readBlob } from "@/lib/kv/blob.ts";
import type { ChatApp } from "../app.ts";
import type { OpenedPicture } from "./picture.ts";
import { emojiKeys, readRealmEmoji } from "./realm_emoji.ts";

/**
 * The picture of a custom emoji, in use or not.
 * @throws AppError NOT_FOUND.
 */
export async function readPicture(app: ChatApp, realmId: number, id: number): Promise<OpenedPicture> {
  const emoji = await readRealmEmoji(app, realmId, id);
  if (emoji === null) throw new AppError("NOT_FOUND", "Nothing is here.");
  const { content_type: contentType, size, picture } = emoji;
  const range = { start: 0, end: size };
  return { contentType, size, content: readBlob(app.store.kv, emojiKeys.picture(realmId, picture), range) };
}
