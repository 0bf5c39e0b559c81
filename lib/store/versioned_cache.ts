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
   * Returns the value that `load` derived from these sources. All such values together have a maximum size; `load`
   * receives the value of the sources before, if the cache still holds it.
   */
  getSized<T extends Sized>(
    name: string,
    sources: readonly unknown[],
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

interface SizedEntry<V> {
  readonly sources: readonly unknown[];
  readonly value: V;
}

function isOf(entry: SizedEntry<unknown> | undefined, sources: readonly unknown[]): boolean {
  return entry !== undefined && entry.sources.length === sources.length &&
    sources.every((source, at) => source === entry.sources[at]);
}

function createSizedGetter(maxSize: number): VersionedCache["getSized"] {
  const kept = new LRUCache<string, SizedEntry<Sized>>({
    maxSize,
    sizeCalculation: ({ value }, name) => value.size + name.length + 1,
  });
  const loading = new Map<string, SizedEntry<Promise<Sized>>>();
  return async <T extends Sized>(
    name: string,
    sources: readonly unknown[],
    load: (previous: T | undefined) => Promise<T>,
  ) => {
    const found = kept.get(name);
    if (found !== undefined && isOf(found, sources)) return toValue<T>(found.value);
    let entry = loading.get(name);
    if (entry === undefined || !isOf(entry, sources)) {
      const value = load(toValue<T | undefined>(found?.value)).then((loaded) => {
        if (loaded.isSettled !== false) kept.set(name, { sources, value: loaded });
        return loaded;
      }).finally(() => {
        if (loading.get(name)?.sources === sources) loading.delete(name);
      });
      loading.set(name, entry = { sources, value });
    }
    return toValue<T>(await entry.value);
  };
}
