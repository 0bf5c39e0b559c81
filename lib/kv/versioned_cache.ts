import { LRUCache } from "lru-cache";
import { toValue } from "./key.ts";

/** Values derived from the store, each kept for the version of the data that it was derived from. */
export interface VersionedCache {
  /** Returns the value that `load` derived for this version; a name always has one type. */
  get<T>(name: string, version: number, load: () => Promise<T>): Promise<T>;
}

/** Creates a cache of at most `max` names that drops the least recently used one first. */
export function createVersionedCache(max: number): VersionedCache {
  const kept = new LRUCache<string, { version: number; value: Promise<unknown> }>({ max });
  return {
    async get<T>(name: string, version: number, load: () => Promise<T>): Promise<T> {
      let found = kept.get(name);
      if (found === undefined || found.version !== version) {
        const value = load();
        found = { version, value };
        kept.set(name, found);
        // A failure is not kept: the next caller tries again.
        value.catch(() => kept.delete(name));
      }
      return toValue<T>(await found.value);
    },
  };
}
