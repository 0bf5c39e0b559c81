import { BulkWriter } from "@/lib/kv/bulk_writer.ts";
import type { Store } from "@/lib/kv/open.ts";
import { IndexConflict, indexLatest, openWordIndex } from "./index_words.ts";

/** Index of the previous versions: a row for each word of each message. */
const FORMER = "word";

/** Packs the index of words, from version 11 to 12; continues after an interruption. */
export async function packSearchWords(store: Store): Promise<void> {
  for await (const { key: [, realmId] } of store.kv.list({ prefix: ["realm"] })) {
    if (typeof realmId !== "number") continue;
    while (!await indexAll(store, realmId));
    const writer = new BulkWriter(store.kv);
    for await (const { key } of store.kv.list({ prefix: [realmId, FORMER] }, { batchSize: 500 })) {
      await writer.delete(key);
    }
    await writer.flush();
  }
}

/** Indexes all messages of an organization; returns false when another process interfered. */
async function indexAll(store: Store, realmId: number): Promise<boolean> {
  const process = { name: crypto.randomUUID(), rest: () => Promise.resolve() };
  const index = await openWordIndex(store, realmId, process);
  try {
    while ((await indexLatest(index, 1)).indexed > 0);
    return true;
  } catch (error) {
    if (error instanceof IndexConflict) return false;
    throw error;
  }
}
