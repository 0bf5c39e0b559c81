import type { Kv } from "./kv.ts";
import { type Key, toEntry } from "./key.ts";

/** Number of values read at a time, where they are small. */
const BATCH = 500;

/** Options of a listing: only values whose next key part is `from` or follows it. */
export interface ListingOptions {
  readonly from?: number;
  readonly batchSize?: number;
}

/** Returns all values below a prefix in the order of their keys; the caller names their type. */
export async function listValues<T>(
  kv: Kv,
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
