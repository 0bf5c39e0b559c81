import { chunk } from "es-toolkit/array/chunk";
import { AppError } from "@/lib/core/errors.ts";
import { type Entry, type Key, keyAfter, toEntry } from "./key.ts";
import { type Kv, MAX_KEYS } from "./kv.ts";
import { backOff } from "./retry.ts";

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
