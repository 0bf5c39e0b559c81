import type { BatchedReads } from "./batched_reads.ts";
import type { Key } from "./key.ts";
import { readVersion } from "./read_version.ts";
import type { VersionedCache } from "./versioned_cache.ts";

/** Rows of the store at one moment, with what was derived from them. */
export interface Listing {
  /** Number of changes of the rows so far; null when some changed during the listing, so that it is not cached. */
  readonly version: number | null;
}

/** Name of a cached listing, and the counter of the changes of its rows. */
interface ListingSource {
  readonly name: string;
  readonly counter: Key;
}

/** Reads a listing from a cache that is rebuilt when one of its rows has changed. */
export async function readListing<T extends object>(
  { reads, caches }: { reads: BatchedReads; caches: VersionedCache },
  { name, counter }: ListingSource,
  list: () => Promise<T>,
): Promise<T & Listing> {
  const version = await readVersion(reads, counter);
  const listed = await caches.get(name, version, async () => {
    const listing = await list();
    return await readVersion(reads, counter) === version ? { ...listing, version } : null;
  });
  // A listing made while rows changed may mix two versions.
  return listed ?? { ...await list(), version: null };
}
