import { yieldToEventLoop } from "@/lib/core/yield_to_event_loop.ts";
import { BulkWriter } from "@/lib/store/bulk_writer.ts";
import { type Key, toEntry } from "@/lib/store/key.ts";
import type { Store } from "@/lib/store/open.ts";
import { readMany } from "@/lib/store/reads.ts";
import { messageKeys, type MessageRecord } from "../model.ts";
import { facetKey, listFacets } from "./model/facets.ts";

/** Messages that are read at once. */
const BATCH = 100;

/** Adds the index of message facets, from version 6 to 7. */
export async function addMessageFacets(store: Store): Promise<void> {
  const writer = new BulkWriter(store.kv);
  for await (const { key: [, realmId] } of store.kv.list({ prefix: ["realm"] })) {
    if (typeof realmId !== "number") continue;
    const messages = store.kv.list({ prefix: [realmId, "message"] }, { batchSize: BATCH });
    for await (const entry of messages) {
      const { value: message } = toEntry<MessageRecord>(entry);
      for (const facet of listFacets(message)) {
        await writer.set([...facetKey(realmId, facet), message.id], true);
      }
      if (message.id % BATCH === 0) await yieldToEventLoop();
    }
  }
  await writer.flush();
}

/** Adds the facets of messages that mention groups or everyone, from version 12 to 13. */
export async function addMentionFacets(store: Store): Promise<void> {
  const writer = new BulkWriter(store.kv);
  for await (const { key: [, realmId] } of store.kv.list({ prefix: ["realm"] })) {
    if (typeof realmId !== "number") continue;
    let keys: Key[] = [];
    const prefix = [...facetKey(realmId, "collective_mention")];
    for await (const { key } of store.kv.list({ prefix }, { batchSize: BATCH })) {
      if (keys.push(messageKeys.message(realmId, Number(key.at(-1)))) < BATCH) continue;
      await addFacets(store, writer, { realmId, keys });
      keys = [];
    }
    await addFacets(store, writer, { realmId, keys });
  }
  await writer.flush();
}

/** Writes all facets of messages. */
async function addFacets(
  store: Store,
  writer: BulkWriter,
  { realmId, keys }: { realmId: number; keys: readonly Key[] },
): Promise<void> {
  for (const { value: message } of await readMany<MessageRecord>(store.kv, keys)) {
    if (message === null) continue;
    for (const facet of listFacets(message)) {
      await writer.set([...facetKey(realmId, facet), message.id], true);
    }
  }
  await yieldToEventLoop();
}
