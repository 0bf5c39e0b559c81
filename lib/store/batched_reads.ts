import { setImmediate } from "node:timers";
import { chunk } from "es-toolkit/array/chunk";
import { isStorableKey, type Key, keyName, toValue } from "./key.ts";
import { type Kv, MAX_KEYS } from "./kv.ts";
import { type Place, placeOf } from "./resident.ts";

/** Reads an entry whose key is one that the store can hold, by the text that identifies the key. */
export type ReadEntry = (key: Key, name: string) => Promise<Deno.KvEntryMaybe<unknown>>;

/** The reads of one key, which share its entry. */
interface Reading extends PromiseWithResolvers<Deno.KvEntryMaybe<unknown>> {
  readonly key: Key;
}

/**
 * Creates reads that join: keys requested in one turn of the event loop are read together, and each of them once.
 * With `isKept`, later reads of a key return the entry of the first one.
 */
function joinReads(kv: Pick<Kv, "getMany">, isKept = false): ReadEntry {
  let readings = new Map<string, Reading>();
  let waiting: Reading[] = [];
  const flush = () => {
    const all = waiting;
    waiting = [];
    if (!isKept) readings = new Map();
    for (const batch of chunk(all, MAX_KEYS)) readBatch(kv, batch);
  };
  return (key, name) => {
    let reading = readings.get(name);
    if (reading === undefined) {
      reading = { key, ...Promise.withResolvers<Deno.KvEntryMaybe<unknown>>() };
      readings.set(name, reading);
      if (waiting.push(reading) === 1) setImmediate(flush);
    }
    return reading.promise;
  };
}

/** Creates reads for changes that are to share a commit. Entries age, so each attempt at a commit needs new reads. */
export function createSharedReads(kv: Kv): ReadEntry {
  return joinReads(kv, true);
}

/** Creates reads of entries that join those of one turn of the event loop. */
export function createEntryReads(kv: Pick<Kv, "getMany">): ReadEntry {
  return joinReads(kv);
}

async function readBatch(kv: Pick<Kv, "getMany">, batch: readonly Reading[]): Promise<void> {
  try {
    const entries = await kv.getMany<unknown[]>(batch.map(({ key }) => key));
    batch.forEach(({ key, resolve }, at) => resolve(entries[at] ?? { key, value: null, versionstamp: null }));
  } catch (error) {
    // A key that the store rejects must not fail the reads of the others.
    if (batch.length > 1) await Promise.all(batch.map((one) => readBatch(kv, [one])));
    else for (const { reject } of batch) reject(error);
  }
}

/** Combines reads that arrive together, which costs the store a fraction of single reads. */
export interface BatchedReads {
  /**
   * Returns the value of a key, or null; null for a key that the store cannot hold. The caller names the type
   * that is written under it.
   */
  read<T>(key: Key): Promise<T | null>;
}

/** The store, and the organizations in memory. */
interface ReadParts {
  readonly kv: Kv;
  readonly replicas: { read<T>(key: Key, place: Place): Promise<T | null> };
}

/** Creates batched reads that collect those of one turn of the event loop. */
export function createBatchedReads({ kv, replicas }: ReadParts): BatchedReads {
  // Many requests read the same keys: the organization, its groups, a channel. Each key is read once.
  const read = createEntryReads(kv);
  return {
    async read<T>(key: Key) {
      const place = placeOf(key);
      if (place !== null) return await replicas.read<T>(key, place);
      // A key that the store cannot hold would fail the whole batch.
      return isStorableKey(key) ? toValue<T | null>((await read(key, keyName(key))).value) : null;
    },
  };
}

/** Reads the number of changes that a counter of data has counted; 0 before the first. */
export async function readVersion(reads: BatchedReads, key: Key): Promise<number> {
  return Number((await reads.read<Deno.KvU64>(key))?.value ?? 0n);
}
