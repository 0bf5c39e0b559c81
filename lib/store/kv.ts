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
