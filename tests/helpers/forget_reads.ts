import { createRecordCache } from "@/lib/store/record_cache.ts";
import { createVersionedCache } from "@/lib/store/versioned_cache.ts";
import type { Services } from "@/lib/services/services.ts";

/** Memory of kept records, and that of the sets of what users have read: there are few. */
const CACHE_BYTES = 1024 * 1024;

/** Empties the caches of a server whose store returned to a snapshot: versions return to earlier numbers. */
export function forgetReads({ chat }: Pick<Services, "chat">): void {
  Object.assign(chat, {
    caches: createVersionedCache(100),
    records: createRecordCache(CACHE_BYTES),
    topicSets: createRecordCache(CACHE_BYTES),
  });
}
