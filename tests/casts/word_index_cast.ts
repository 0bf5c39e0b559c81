import { createWordIndexer, type IndexerLimits } from "@/lib/chat/messages/word_index/word_indexer.ts";
import { unpackIds, wordIndexKeys } from "@/lib/chat/messages/word_index/store.ts";
import { listValues } from "@/lib/store/reads.ts";
import { toEntry } from "@/lib/store/key.ts";
import type { TestChat } from "@/tests/helpers/chat.ts";

/** Limits with which every message is indexed, also after another process. */
export const INDEX_ALL: IndexerLimits = { round: 1, backlog: 4000, patienceMs: 0 };

/** Indexes all messages and applies all changes, as a process of its own; failures are thrown. */
export async function indexWords({ services: { store }, clock }: TestChat): Promise<number> {
  const errors: unknown[] = [];
  const report = (error: unknown) => void errors.push(error);
  const indexer = createWordIndexer({ store, clock, report }, INDEX_ALL);
  const count = await indexer.sweep();
  if (errors.length > 0) throw errors[0];
  return count;
}

/** Lists the messages in the rows of a word. */
export async function listIndexed(chat: TestChat, word: string): Promise<number[]> {
  const rows = chat.services.store.kv.list({ prefix: [...wordIndexKeys.word(chat.realm.id, word)] });
  const ids: number[] = [];
  for await (const row of rows) {
    const { key, value } = toEntry<Uint8Array>(row);
    ids.push(...unpackIds(Number(key.at(-1)), value));
  }
  return ids;
}

/** Returns the number of recorded changes of words. */
export async function countChanges(chat: TestChat): Promise<number> {
  return (await listValues(chat.services.store.kv, wordIndexKeys.changes(chat.realm.id))).length;
}
