import { emojiKeys, type RealmEmojiRecord } from "@/lib/chat/emoji/model.ts";
import { toEntry } from "@/lib/store/key.ts";
import type { AdminRequest } from "../admin_request.ts";

/** Active emoji by name, and the name after which the next page begins; null on the last page. */
export interface EmojiSlice {
  readonly emoji: readonly RealmEmojiRecord[];
  readonly next: string | null;
}

const PAGE_SIZE = 100;

/**
 * Lists a page of the active emoji whose names contain `search`, by name, after the one named `after`. Reads
 * names only and, without a search, no more of them than the page shows.
 */
export async function listEmojiPage(
  { chat, realm }: Pick<AdminRequest, "chat" | "realm">,
  { search, after }: { search: string; after: string },
): Promise<EmojiSlice> {
  const prefix = emojiKeys.byName(realm.id, "").slice(0, -1);
  const start = [...prefix, after === "" ? "" : `${after}\0`];
  const selector = { prefix, start };
  const listing = chat.store.kv.list(selector, { batchSize: search === "" ? PAGE_SIZE + 1 : 500 });
  const found: { name: string; id: number }[] = [];
  for await (const entry of listing) {
    const { key, value } = toEntry<number>(entry);
    const name = String(key.at(-1));
    if (name.includes(search)) found.push({ name, id: value });
    if (found.length > PAGE_SIZE) break;
  }
  const shown = found.slice(0, PAGE_SIZE);
  const records = await Promise.all(
    shown.map(({ id }) => chat.reads.read<RealmEmojiRecord>(emojiKeys.emoji(realm.id, id))),
  );
  return {
    emoji: records.filter((record) => record !== null),
    next: found.length > PAGE_SIZE ? shown.at(-1)?.name ?? null : null,
  };
}
