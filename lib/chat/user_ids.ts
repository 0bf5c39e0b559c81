import type { UserIdCache } from "./app.ts";

/** Remembers the last `capacity` addresses. */
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
