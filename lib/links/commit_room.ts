/**
 * Different short URLs in one commit: each takes a set and a sum of the store's 1,000 writes, four writes when the
 * ranking reads the commit's journal, and with the longest ids 300 of the 65,536 bytes that the journal may have.
 */
export const MAX_SHORTS = 200;
/** Bytes of all keys in one commit; the store takes 81,920, of which some are for what the commit removes. */
export const MAX_KEY_BYTES = 60_000;
/** Keys that a short URL has in the widest commit, and bytes of each besides the id. */
const KEYS = 4;
const BESIDES = 30;
const BYTES_A_UNIT = 3;

/** How many bytes a short URL's keys may take in one commit, at most. */
export function keyBytesOf(short: string): number {
  return KEYS * (BESIDES + BYTES_A_UNIT * short.length);
}

/** The items in groups whose short URLs fit into one commit. */
export function groupByRoom<T extends { readonly short: string }>(items: readonly T[]): T[][] {
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
