import { toEntry } from "@/lib/kv/key.ts";
import type { ChatApp } from "../app.ts";
import { emojiKeys, type RealmEmojiRecord } from "./realm_emoji.ts";

/** Where a custom emoji's picture is, without the server's address. */
export function pictureUrl(realmId: number, { id }: Pick<RealmEmojiRecord, "id">): string {
  return `/emoji/${realmId}/${id}`;
}

/** Every custom emoji of an organization by its id, in use or not. */
export async function listRealmEmoji({ store }: ChatApp, realmId: number) {
  const emoji: Record<string, ReturnType<typeof toRealmEmoji>> = {};
  const listing = store.kv.list({ prefix: [...emojiKeys.all(realmId)] }, { batchSize: 500 });
  for await (const entry of listing) {
    const { value } = toEntry<RealmEmojiRecord>(entry);
    emoji[value.id] = toRealmEmoji(realmId, value);
  }
  return emoji;
}

function toRealmEmoji(realmId: number, emoji: RealmEmojiRecord) {
  const { id, name, deactivated, author_id } = emoji;
  return {
    id: String(id),
    name,
    source_url: pictureUrl(realmId, emoji),
    still_url: null,
    deactivated,
    author_id,
  };
}
