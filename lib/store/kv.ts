/** The part of `Deno.Kv` that the store uses; the client of a KV Connect server has it, too. */
export interface Kv extends Disposable {
  get<T = unknown>(key: Deno.KvKey): Promise<Deno.KvEntryMaybe<T>>;
  getMany<T extends readonly unknown[]>(
    keys: readonly [...{ [K in keyof T]: Deno.KvKey }],
  ): Promise<{ [K in keyof T]: Deno.KvEntryMaybe<T[K]> }>;
  list<T = unknown>(selector: Deno.KvListSelector, options?: Deno.KvListOptions): Deno.KvListIterator<T>;
  set(key: Deno.KvKey, value: unknown, options?: { expireIn?: number }): Promise<Deno.KvCommitResult>;
  delete(key: Deno.KvKey): Promise<void>;
  atomic(): AtomicOperation;
  close(): void;
}

/** Result of a commit. */
export type CommitResult = Deno.KvCommitResult | Deno.KvCommitError;

/** Checks and writes that are committed together or not at all. */
export interface AtomicOperation {
  check(...checks: Deno.AtomicCheck[]): this;
  set(key: Deno.KvKey, value: unknown, options?: { expireIn?: number }): this;
  delete(key: Deno.KvKey): this;
  sum(key: Deno.KvKey, amount: bigint): this;
  commit(): Promise<CommitResult>;
}

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
