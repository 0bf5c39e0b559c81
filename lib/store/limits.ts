/** Maximum number of checks in an atomic operation. */
export const MAX_CHECKS = 100;
/** Maximum number of sets, deletes and sums in an atomic operation. */
export const MAX_MUTATIONS = 1000;
/** Maximum size of an encoded key in bytes. */
export const MAX_KEY_BYTES = 2048;
/** Maximum number of keys in a batched read. */
export const MAX_KEYS = 10;
/**
 * Budget of a commit whose size is estimated, below the store's 1,000 writes, 81,920 bytes of keys and
 * 819,200 bytes in all, with room for its other writes.
 */
export const COMMIT_BUDGET = { writes: 900, keyBytes: 70_000, bytes: 720_000 } as const;
