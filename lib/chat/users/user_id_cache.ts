import { createLru } from "@/lib/core/lru.ts";
import type { UserIdCache } from "../app.ts";

/** Creates a cache of user ids by email address that drops the least recently used of `max` entries. */
export function createUserIdCache(max: number): UserIdCache {
  const ids = createLru<string, number>(max);
  return {
    get: (realmId, address) => ids.get(`${realmId} ${address}`),
    set(realmId, address, userId) {
      ids.set(`${realmId} ${address}`, userId);
    },
  };
}
