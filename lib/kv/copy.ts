import { BulkWriter } from "./bulk_writer.ts";

/** Maximum size of a value of the store. */
const MAX_VALUE_BYTES = 65_536;

/** Copies every entry of one store into another and returns their number. */
export async function copyEntries(from: Deno.Kv, to: Deno.Kv): Promise<number> {
  const writer = new BulkWriter(to);
  let copied = 0;
  for await (const { key, value } of from.list({ start: [], end: [true] }, { batchSize: 100 })) {
    await writer.set(key, value, MAX_VALUE_BYTES);
    copied++;
  }
  await writer.flush();
  return copied;
}
