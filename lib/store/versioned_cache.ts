import { LRUCache } from "lru-cache";
import { toValue } from "./key.ts";

/** A value of which a cache holds as much as fits. */
export interface Sized {
  /** Approximate size, such as the length of its texts in UTF-16 units. */
  readonly size: number;
  /** False for a value that may mix two versions, which is not kept. */
  readonly isSettled?: boolean;
}

/** Values derived from the store, each kept for the version of the data that it was derived from. */
export interface VersionedCache {
  /** Returns the value that `load` derived for this version; a name always has one type. */
  get<T>(name: string, version: number, load: () => Promise<T>): Promise<T>;
  /**
   * Returns a value as `get` does. All such values together have a maximum size; `load` receives the value of
   * the version before, if the cache still holds it.
   */
  getSized<T extends Sized>(
    name: string,
    version: string,
    load: (previous: T | undefined) => Promise<T>,
  ): Promise<T>;
}

/** Maximum size of all sized values of a cache. */
export const MAX_CACHED_SIZE = 32 * 1024 * 1024;

/** Creates a cache of at most `max` names that drops the least recently used one first, as do sized values. */
export function createVersionedCache(max: number, maxSize = MAX_CACHED_SIZE): VersionedCache {
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
    getSized: createSizedGetter(maxSize),
  };
}

function createSizedGetter(maxSize: number): VersionedCache["getSized"] {
  const kept = new LRUCache<string, { readonly version: string; readonly value: Sized }>({
    maxSize,
    sizeCalculation: ({ value }, name) => value.size + name.length + 1,
  });
  const loading = new Map<string, Promise<Sized>>();
  return async <T extends Sized>(
    name: string,
    version: string,
    load: (previous: T | undefined) => Promise<T>,
  ) => {
    const found = kept.get(name);
    if (found?.version === version) return toValue<T>(found.value);
    const attempt = `${name} at ${version}`;
    let value = loading.get(attempt);
    if (value === undefined) {
      value = load(toValue<T | undefined>(found?.value)).then((loaded) => {
        if (loaded.isSettled !== false) kept.set(name, { version, value: loaded });
        return loaded;
      }).finally(() => loading.delete(attempt));
      loading.set(attempt, value);
    }
    return toValue<T>(await value);
  };
}
