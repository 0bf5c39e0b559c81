import { chunk } from "es-toolkit/array/chunk";
import { AppError } from "@/lib/core/errors.ts";
import { type Entry, isStorableKey, type Key, keyAfter, keyName, toEntry, toValue } from "./key.ts";
import { type Kv, MAX_KEYS } from "./kv.ts";
import { backOff } from "./retry.ts";
import { setImmediate } from "node:timers";
import { type Place, placeOf } from "./resident.ts";

/** Returns the entries of any number of keys, in their order; they may stem from different moments. */
export async function readMany<T>(
  kv: Pick<Kv, "getMany">,
  keys: readonly Key[],
): Promise<Deno.KvEntryMaybe<T>[]> {
  const parts = chunk(keys, MAX_KEYS).map((part) => kv.getMany<T[]>(part));
  return (await Promise.all(parts)).flat();
}

/** Number of values read at a time, where they are small. */
const BATCH = 500;

/** Options of a listing: only values whose next key part is `from` or follows it, and so many at most. */
interface ListingOptions {
  readonly from?: number;
  readonly limit?: number | undefined;
  readonly batchSize?: number;
}

/** Returns all values below a prefix in the order of their keys; the caller names their type. */
export async function listValues<T>(
  kv: Kv,
  prefix: Key,
  { from, limit, batchSize = BATCH }: ListingOptions = {},
): Promise<T[]> {
  const selector = from === undefined
    ? { prefix: [...prefix] }
    : { prefix: [...prefix], start: [...prefix, from] };
  const values: T[] = [];
  const options = limit === undefined ? { batchSize } : { batchSize, limit };
  for await (const entry of kv.list(selector, options)) values.push(toEntry<T>(entry).value);
  return values;
}

/** Lists the numbers that end the keys of a range, such as the ids of an index. */
export async function listIds(
  { store }: { readonly store: { readonly kv: Kv } },
  selector: Deno.KvListSelector,
  options: Deno.KvListOptions = { batchSize: BATCH },
): Promise<number[]> {
  const ids: number[] = [];
  for await (const { key } of store.kv.list(selector, options)) ids.push(Number(key.at(-1)));
  return ids;
}

/** Failures of reads in a row after which a listing fails. */
const LIST_ATTEMPTS = 30;

/**
 * Lists every entry of a store in the order of keys. A read that fails is repeated from the last entry onward, so
 * that a network store may be away for some seconds.
 */
export async function* listAll(kv: Kv): AsyncGenerator<Entry<unknown>> {
  let start: Key = [];
  for (let failed = 0;;) {
    try {
      for await (const entry of kv.list({ start: [...start], end: [true] }, { batchSize: 100 })) {
        failed = 0;
        start = keyAfter(entry.key);
        yield toEntry<unknown>(entry);
      }
      return;
    } catch (error) {
      if (++failed >= LIST_ATTEMPTS) throw error;
      await backOff(failed);
    }
  }
}

/** Maximum number of entries in a page. */
const MAX_PAGE = 100;

/** A page of a listing. */
export interface Page<T> {
  readonly entries: Entry<T>[];
  /** Cursor of the next page; null on the last page. */
  readonly next: string | null;
}

/** Request for a page of a listing. */
export interface PageRequest {
  /** From 1 to MAX_PAGE entries. */
  readonly limit: number;
  /** The `next` of the previous page, or null for the first page. */
  readonly cursor: string | null;
  /** Key before which the listing ends; the same on every page. */
  readonly end?: Key | undefined;
  /** Whether the last key comes first. */
  readonly reverse?: boolean;
}

/**
 * Lists the entries below `prefix` page by page.
 * @throws AppError BAD_REQUEST for an invalid cursor.
 */
export async function listPage<T>(kv: Kv, prefix: Key, request: PageRequest): Promise<Page<T>> {
  const limit = Math.min(Math.max(request.limit, 1), MAX_PAGE);
  const options: Deno.KvListOptions = { limit, reverse: request.reverse ?? false };
  if (request.cursor !== null) options.cursor = request.cursor;
  const entries: Entry<T>[] = [];
  try {
    const { end } = request;
    const listing = kv.list(
      { prefix: [...prefix], ...(end === undefined ? {} : { end: [...end] }) },
      options,
    );
    for await (const entry of listing) entries.push(toEntry<T>(entry));
    const next = entries.length === limit ? listing.cursor : null;
    return { entries, next: next === "" ? null : next };
  } catch (cause) {
    if (request.cursor === null) throw cause;
    throw new AppError("BAD_REQUEST", "Invalid page cursor.", { cause });
  }
}

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
