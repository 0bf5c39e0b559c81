import { LRUCache } from "lru-cache";

/**
 * Creates a cache that drops the least recently used of `max` entries. Unlike a cache that is created with
 * `max` itself, it does not allocate memory for all entries at once, which takes milliseconds for 50,000.
 */
export function createLru<Name extends string, Value extends NonNullable<unknown>>(
  max: number,
): LRUCache<Name, Value> {
  return new LRUCache<Name, Value>({ maxSize: max, sizeCalculation: () => 1 });
}
