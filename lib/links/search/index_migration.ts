import { BulkWriter } from "../../store/bulk_writer.ts";
import { toEntry } from "../../store/key.ts";
import type { Store } from "../../store/open.ts";

/**
 * Enters all existing links in the queue of the index of words, which is built while the server runs. A second run
 * enters them again, and indexing a link twice changes nothing.
 */
export async function queueLinksForIndex(store: Store): Promise<void> {
  const writer = new BulkWriter(store.kv);
  for await (const listed of store.kv.list({ prefix: ["link_made"] }, { batchSize: 100 })) {
    const { key, value } = toEntry<string[]>(listed);
    const bytes = value.reduce((sum, { length }) => sum + 2 * length + 8, 0);
    await writer.set(["link_unindexed", ...key.slice(1)], value, bytes);
  }
  await writer.flush();
}
