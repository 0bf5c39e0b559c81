/** Maximum number of short URLs with a maximum of visits in a commit: each takes one of its 100 checks. */
export const MAX_LIMITED = 90;
/**
 * Budget of the short URLs of a row of the log, in bytes; a value holds 65,536, of which the times of the visits
 * of a commit take 20,000.
 */
export const MAX_ROW_BYTES = 40_000;
/** Bytes of a short URL in a row besides its id. */
const BESIDES = 20;
const BYTES_A_UNIT = 2;

/**
 * Bounds of a round of the compactor: the names of its rows fit into a value, and all visits of one short URL into a
 * commit.
 */
export const ROUND = { rows: 2000, nameBytes: 50_000, visits: 60_000, days: 300 } as const;
/**
 * Number of writes of a commit of the compactor: few, so that the commits of visits wait for a short time, and more
 * as the log grows, because a commit has a cost of its own.
 */
export const STEP_WRITES = { least: 100, most: 500 } as const;
/** Budget of the keys of links in a commit, in bytes; the store takes 81,920, some of which are for deleted rows. */
export const MAX_KEY_BYTES = 55_000;
/** Bytes of a key of a link besides its id, and of each code unit of the id, at most. */
const KEY_BESIDES = 60;
const KEY_UNIT = 3;

/** Returns the maximum number of bytes of a key of a link. */
export function keyBytesOf(short: string): number {
  return KEY_BESIDES + KEY_UNIT * short.length;
}

/** Returns the maximum number of bytes that a short URL takes in a row. */
export function rowBytesOf(short: string): number {
  return BESIDES + BYTES_A_UNIT * short.length;
}
