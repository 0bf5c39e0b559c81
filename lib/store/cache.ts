import { LRUCache } from "lru-cache";
import { toValue } from "./key.ts";

/** A value that a cache derives. */
interface Sized {
  /** Estimate of its memory in bytes, such as the length of its texts. */
  readonly size: number;
  /** False for a value that may mix two versions, which is not kept. */
  readonly isSettled?: boolean;
}

interface Entry<V> {
  /** The version of the data, or the objects, that the value was made from. */
  readonly sources: readonly unknown[];
  readonly value: V;
  readonly size: number;
}

/** Maximum size of all values of a cache, in bytes. */
const MAX_SIZE = 64 * 1024 * 1024;

/**
 * Values of the store, and values derived from it, by name: a name always has one type. Each is used only for the
 * version of the data that it was made from. Every change increments that version in its commit, so that a value is
 * current whichever process changed the data. The least recently used values are dropped first.
 */
export class Cache {
  readonly #kept: LRUCache<string, Entry<unknown>>;
  readonly #loading = new Map<string, Omit<Entry<Promise<unknown>>, "size">>();

  constructor(maxSize = MAX_SIZE) {
    this.#kept = new LRUCache({ maxSize, sizeCalculation: ({ size }, name) => size + name.length + 1 });
  }

  /** Returns a value that was kept for this version or a later one. */
  find<T>(name: string, version: number): T | undefined {
    const found = this.#kept.get(name);
    return found === undefined || versionOf(found) < version ? undefined : toValue<T>(found.value);
  }

  /** Keeps a value of `size` bytes that was read after the data had a version, unless a newer one is kept. */
  keep<T extends object>(name: string, version: number, value: T, size: number): void {
    const found = this.#kept.peek(name);
    if (found === undefined || versionOf(found) <= version) {
      this.#kept.set(name, { sources: [version], value, size });
    }
  }

  /**
   * Returns the value that `load` derived from these sources; callers share it while it loads. `load` receives the value
   * of the sources before, if the cache still holds it.
   */
  async get<T extends Sized>(
    name: string,
    sources: readonly unknown[],
    load: (previous: T | undefined) => Promise<T>,
  ): Promise<T> {
    const found = this.#kept.get(name);
    if (found !== undefined && isOf(found, sources)) return toValue<T>(found.value);
    let loading = this.#loading.get(name);
    if (loading === undefined || !isOf(loading, sources)) {
      const value = load(toValue<T | undefined>(found?.value)).then((loaded) => {
        const { size, isSettled = true } = loaded;
        if (isSettled) this.#kept.set(name, { sources, value: loaded, size });
        return loaded;
      }).finally(() => {
        if (this.#loading.get(name)?.sources === sources) this.#loading.delete(name);
      });
      this.#loading.set(name, loading = { sources, value });
    }
    return toValue<T>(await loading.value);
  }
}

function versionOf({ sources: [version] }: Entry<unknown>): number {
  return Number(version);
}

function isOf({ sources }: Pick<Entry<unknown>, "sources">, others: readonly unknown[]): boolean {
  return sources.length === others.length && sources.every((source, at) => source === others[at]);
}
