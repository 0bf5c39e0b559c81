/**
 * Maximum number of short URLs in a commit. Each takes a set and a sum of the store's 1,000 writes, four
 * writes when the ranking reads the commit's journal, and with the longest ids 300 of the 65,536 bytes of the
 * journal.
 */
export const MAX_SHORTS = 200;
/** Budget of all keys in a commit, in bytes; the store takes 81,920, some of which are for deletions. */
export const MAX_KEY_BYTES = 60_000;
/** Keys of a short URL in the largest commit, and bytes of each besides the id. */
const KEYS = 4;
const BESIDES = 30;
const BYTES_A_UNIT = 3;

/** Returns the maximum number of bytes that a short URL's keys take in a commit. */
export function keyBytesOf(short: string): number {
  return KEYS * (BESIDES + BYTES_A_UNIT * short.length);
}

/** Splits items into groups whose short URLs fit into one commit each. */
export function groupByBudget<T extends { readonly short: string }>(items: readonly T[]): T[][] {
  let group: T[] = [];
  let bytes = 0;
  const groups = [group];
  for (const item of items) {
    bytes += keyBytesOf(item.short);
    if (group.length > 0 && (group.length >= MAX_SHORTS || bytes > MAX_KEY_BYTES)) {
      groups.push(group = []);
      bytes = keyBytesOf(item.short);
    }
    group.push(item);
  }
  return groups;
}
