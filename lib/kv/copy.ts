import { retryLocked } from "./retry.ts";

/** One commit's bounds: entries, and bytes as far as they can be told from here. */
const ENTRIES_AT_ONCE = 10;

/** Copies every entry of one store into another and gives their number. */
export async function copyEntries(from: Deno.Kv, to: Deno.Kv): Promise<number> {
  let copied = 0;
  let batch: Deno.KvEntry<unknown>[] = [];
  const flush = async () => {
    if (batch.length === 0) return;
    const entries = batch;
    await retryLocked(() => {
      const atomic = to.atomic();
      for (const { key, value } of entries) atomic.set(key, value);
      return atomic.commit();
    });
    copied += entries.length;
    batch = [];
  };
  for await (const entry of from.list({ start: [], end: [true] }, { batchSize: 100 })) {
    batch.push(entry);
    if (batch.length === ENTRIES_AT_ONCE) await flush();
  }
  await flush();
  return copied;
}
