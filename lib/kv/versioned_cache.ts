import { toValue } from "./key.ts";

/** Values derived from the store, each kept for the version of the data that it was derived from. */
export interface VersionedCache {
  /** Returns the value that `load` derived for this version; a name always has one type. */
  get<T>(name: string, version: number, load: () => Promise<T>): Promise<T>;
}

/** Creates a cache of at most `capacity` names that drops the least recently used one first. */
export function createVersionedCache(capacity: number): VersionedCache {
  const kept = new Map<string, { version: number; value: Promise<unknown> }>();
  return {
    async get<T>(name: string, version: number, load: () => Promise<T>): Promise<T> {
      let found = kept.get(name);
      if (found === undefined || found.version !== version) {
        const value = load();
        found = { version, value };
        // A failure is not kept: the next caller tries again.
        value.catch(() => kept.delete(name));
      }
      kept.delete(name);
      kept.set(name, found);
      const [oldest] = kept.keys();
      if (kept.size > capacity && oldest !== undefined) kept.delete(oldest);
      return toValue<T>(await found.value);
    },
  };
}
