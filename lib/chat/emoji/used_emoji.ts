import type { ChatApp } from "../app.ts";
import type { CustomEmojiRef } from "../rendering/context.ts";
import { findRealmEmoji } from "./realm_emoji.ts";
import { pictureUrl } from "./view.ts";

/** Different names that are looked up for one text at most; the names beyond stay text. */
const MAX_NAMES = 500;

/** The custom emoji in use that a text may name, by their names. */
export async function readUsedEmoji(
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
      url: pictureUrl(realmId, emoji),
    }]),
  );
}
