import { type Key, toEntry } from "./key.ts";

/** Values that the store gives at once, where they are not large. */
const BATCH = 500;

/** Which of the values below a prefix are listed: those whose next part is `from` or comes behind it. */
export interface ListingOptions {
  readonly from?: number;
  readonly batchSize?: number;
}

/** All values below a prefix, in the order of their keys; the caller names their type. */
export async function listValues<T>(
  kv: Deno.Kv,
  prefix: Key,
  { from, batchSize = BATCH }: ListingOptions = {},
): Promise<T[]> {
  const selector = from === undefined
    ? { prefix: [...prefix] }
    : { prefix: [...prefix], start: [...prefix, from] };
  const values: T[] = [];
  for await (const entry of kv.list(selector, { batchSize })) values.push(toEntry<T>(entry).value);
  return values;
}
