import type { UserIdCache } from "../app.ts";

/** Creates a cache of user ids by email address that holds up to `capacity` entries and drops the oldest. */
export function createUserIdCache(capacity: number): UserIdCache {
  const ids = new Map<string, number>();
  return {
    get: (realmId, address) => ids.get(`${realmId} ${address}`),
    set(realmId, address, userId) {
      const [oldest] = ids.keys();
      if (ids.size >= capacity && oldest !== undefined) ids.delete(oldest);
      ids.set(`${realmId} ${address}`, userId);
    },
  };
}
