/** Checks in one atomic operation of the store. */
export const MAX_CHECKS = 100;
/** Sets, deletes and sums in one atomic operation. */
export const MAX_MUTATIONS = 1000;
/** Keys that the store reads at once. */
export const MAX_KEYS = 10;
/**
 * What a commit whose size is estimated may gather, under the store's 1,000 writes, 81,920 bytes of keys and 819,200 in
 * all, with some to spare for what else it writes.
 */
export const ROOM = { writes: 900, keyBytes: 70_000, bytes: 720_000 } as const;
