import { LRUCache } from "lru-cache";
import type { BatchedReads } from "./batched_reads.ts";
import { type Key, keyName, toValue } from "./key.ts";

/**
 * Records of the store that are kept in memory. Every change of a record increments a counter of the store in the
 * same commit, so a record that was read after the counter had its current value is current, whichever process
 * changed it.
 */
export interface RecordCache {
  /** Returns a record that was read when the counter had this or a later value; undefined for any other. */
  get<T extends object>(key: Key, version: number): T | undefined;
  /** Keeps a record that was read after the counter had the given value. */
  keep<T extends object>(key: Key, record: T, reading: RecordReading<T>): void;
}

/** Value of the counter before records were read, and an estimate of the memory that a record takes, in bytes. */
export interface RecordReading<T> {
  readonly version: number;
  readonly countBytes: (record: T) => number;
}

interface KeptRecord {
  readonly record: object;
  readonly version: number;
}

/** Creates a cache of at most `maxBytes` that drops the least recently used record first. */
export function createRecordCache(maxBytes: number): RecordCache {
  const kept = new LRUCache<string, KeptRecord>({ maxSize: maxBytes });
  return {
    get<T extends object>(key: Key, version: number): T | undefined {
      const found = kept.get(keyName(key));
      return found === undefined || found.version < version ? undefined : toValue<T>(found.record);
    },
    keep<T extends object>(key: Key, record: T, { version, countBytes }: RecordReading<T>): void {
      const name = keyName(key);
      // A concurrent reading that began later may have read a newer record.
      if ((kept.peek(name)?.version ?? 0) <= version) {
        kept.set(name, { record, version }, { size: countBytes(record) });
      }
    },
  };
}

/** Returns the records of keys, in their order, from a cache as far as they are current; null for absent ones. */
export async function readRecords<T extends object>(
  { reads, records }: { reads: BatchedReads; records: RecordCache },
  keys: readonly Key[],
  reading: RecordReading<T>,
): Promise<(T | null)[]> {
  const found = keys.map((key) => records.get<T>(key, reading.version) ?? null);
  const missing = keys.entries().filter(([at]) => found[at] === null).toArray();
  await Promise.all(missing.map(async ([at, key]) => {
    const record = await reads.read<T>(key);
    if (record !== null) records.keep(key, record, reading);
    found[at] = record;
  }));
  return found;
}
