import { LRUCache } from "lru-cache";
import type { RecentIds, RecentIdsCache } from "@/lib/chat/app.ts";

/** Estimated memory of the cached ids, and of a list of ids without any, in bytes. */
const MAX_BYTES = 8 * 1024 * 1024;
const LIST_BYTES = 500;
const ID_BYTES = 8;

/** Creates a cache of ids that drops the index first that was scanned the longest time ago. */
export function createRecentIdsCache(): RecentIdsCache {
  return new LRUCache<string, RecentIds>({
    maxSize: MAX_BYTES,
    sizeCalculation: ({ ids }) => LIST_BYTES + ID_BYTES * ids.length,
  });
}
