import type { BatchedReads } from "./batched_reads.ts";
import type { Key } from "./key.ts";

/** Reads the number of changes that a counter of data has counted; 0 before the first. */
export async function readVersion(reads: BatchedReads, key: Key): Promise<number> {
  return Number((await reads.read<Deno.KvU64>(key))?.value ?? 0n);
}
