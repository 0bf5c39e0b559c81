import { BulkWriter } from "@/lib/store/bulk_writer.ts";
import { toEntry, toValue } from "@/lib/store/key.ts";
import type { Store } from "@/lib/store/open.ts";
import { IndexConflict, indexLatest, indexTopics, type OpenIndex, openWordIndex } from "./index_words.ts";
import { type WordChange, wordIndexKeys } from "./model.ts";

/** Index of the previous versions: a row for each word of each message. */
const FORMER = "word";

/** Packs the index of words, from version 11 to 12; continues after an interruption. */
export async function packSearchWords(store: Store): Promise<void> {
  for await (const { key: [, realmId] } of store.kv.list({ prefix: ["realm"] })) {
    if (typeof realmId !== "number") continue;
    while (!await write(store, realmId, indexAll));
    const writer = new BulkWriter(store.kv);
    for await (const { key } of store.kv.list({ prefix: [realmId, FORMER] }, { batchSize: 500 })) {
      await writer.delete(key);
    }
    await writer.flush();
  }
}

/** Adds the words of topics to the index, from version 14 to 15. */
export async function indexTopicWords(store: Store): Promise<void> {
  for await (const { key: [, realmId] } of store.kv.list({ prefix: ["realm"] })) {
    if (typeof realmId !== "number") continue;
    await convertChanges(store, realmId);
    while (!await write(store, realmId, indexTopics));
  }
}

/** Converts changes of words of the previous versions, which have the words of one message. */
async function convertChanges({ kv }: Store, realmId: number): Promise<void> {
  for await (const entry of kv.list({ prefix: [...wordIndexKeys.changes(realmId)] }, { batchSize: 500 })) {
    const { key, value: words } = toEntry<WordChange | string>(entry);
    if (typeof words !== "string") continue;
    await kv.set([...key], { ids: [toValue<number>(key.at(-2))], words } satisfies WordChange);
  }
}

async function indexAll(index: OpenIndex): Promise<void> {
  while ((await indexLatest(index, 1)).indexed > 0);
}

/** Writes to the index of an organization; returns false when another process interfered. */
async function write(
  store: Store,
  realmId: number,
  writeTo: (index: OpenIndex) => Promise<void>,
): Promise<boolean> {
  const process = { name: crypto.randomUUID(), rest: () => Promise.resolve() };
  const index = await openWordIndex(store, realmId, process);
  try {
    await writeTo(index);
    return true;
  } catch (error) {
    if (error instanceof IndexConflict) return false;
    throw error;
  }
}
