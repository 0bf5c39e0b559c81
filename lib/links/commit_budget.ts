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

/** Bounds of a round of the compactor, so that all visits of one short URL fit into a commit. */
export const ROUND = { rows: 2000, visits: 60_000, days: 300 } as const;
/** Number of writes of a commit of the compactor: few, so that the commits of visits wait for a short time. */
export const STEP_WRITES = 100;

/** Returns the maximum number of bytes that a short URL takes in a row. */
export function rowBytesOf(short: string): number {
  return BESIDES + BYTES_A_UNIT * short.length;
}
