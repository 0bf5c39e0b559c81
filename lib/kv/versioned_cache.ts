import { toValue } from "./key.ts";

/** Things worked out from the store, each kept for the version of the store's part that it came from. */
export interface VersionedCache {
  /** What `load` gave for this version; a name always has one type. */
  get<T>(name: string, version: number, load: () => Promise<T>): Promise<T>;
}

/** A cache of at most `capacity` names; the one that was not asked for longest goes first. */
export function createVersionedCache(capacity: number): VersionedCache {
  const kept = new Map<string, { version: number; value: Promise<unknown> }>();
  return {
    async get<T>(name: string, version: number, load: () => Promise<T>): Promise<T> {
      let found = kept.get(name);
      if (found === undefined || found.version !== version) {
        const value = load();
        found = { version, value };
        // Nobody is to be told twice that it failed, and the next caller tries again.
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
