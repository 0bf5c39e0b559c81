import { yieldToEventLoop } from "@/lib/core/yield_to_event_loop.ts";
import { BulkWriter } from "@/lib/kv/bulk_writer.ts";
import { toEntry } from "@/lib/kv/key.ts";
import type { Store } from "@/lib/kv/open.ts";
import type { MessageRecord } from "../model.ts";
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
