import type { Kv } from "./kv.ts";
import { AppError } from "@/lib/core/errors.ts";
import { type Entry, type Key, toEntry } from "./key.ts";

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
