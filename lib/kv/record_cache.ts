import { LRUCache } from "lru-cache";
import { type Entry, type Key, keyName, toEntry, toValue } from "./key.ts";
import { readMany } from "./read_many.ts";

/**
 * Records of the store that are kept in memory. Every change of a record increments a counter of the store in the
 * same commit, so a record that was read after the counter had its current value is current, whichever process
 * changed it.
 */
export interface RecordCache {
  /** Returns a record that was read when the counter had this or a later value; undefined for any other. */
  get<T extends object>(key: Key, version: number): T | undefined;
  /**
   * Keeps a record that was read after the counter had the given value, and returns it: the same object as before
   * when it did not change.
   */
  keep<T extends object>(entry: Entry<T>, reading: RecordReading<T>): T;
}

/** Value of the counter before records were read, and an estimate of the memory that a record takes, in bytes. */
export interface RecordReading<T> {
  readonly version: number;
  readonly countBytes: (record: T) => number;
}

interface KeptRecord {
  readonly record: object;
  readonly versionstamp: string;
  version: number;
}

/** Creates a cache of at most `maxBytes` that drops the least recently used record first. */
export function createRecordCache(maxBytes: number): RecordCache {
  const kept = new LRUCache<string, KeptRecord>({ maxSize: maxBytes });
  return {
    get<T extends object>(key: Key, version: number): T | undefined {
      const found = kept.get(keyName(key));
      return found === undefined || found.version < version ? undefined : toValue<T>(found.record);
    },
    keep<T extends object>(entry: Entry<T>, { version, countBytes }: RecordReading<T>): T {
      const name = keyName(entry.key);
      const known = kept.get(name);
      if (known?.versionstamp === entry.versionstamp) {
        known.version = Math.max(known.version, version);
        return toValue<T>(known.record);
      }
      const { value: record, versionstamp } = entry;
      // A concurrent reading that began later may have read a newer record.
      if (known === undefined || known.version <= version) {
        kept.set(name, { record, versionstamp, version }, { size: countBytes(record) });
      }
      return record;
    },
  };
}

/** Returns the records of keys, in their order, from a cache as far as they are current; null for absent ones. */
export async function readRecords<T extends object>(
  { kv, records }: { kv: Deno.Kv; records: RecordCache },
  keys: readonly Key[],
  reading: RecordReading<T>,
): Promise<(T | null)[]> {
  const found = keys.map((key) => records.get<T>(key, reading.version) ?? null);
  const missing = keys.filter((_, at) => found[at] === null);
  if (missing.length === 0) return found;
  const read = (await readMany<T>(kv, missing)).map((entry) =>
    entry.versionstamp === null ? null : records.keep(toEntry<T>(entry), reading)
  );
  let next = 0;
  return found.map((record) => record ?? read[next++] ?? null);
}
