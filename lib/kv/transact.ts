import { AppError } from "@/lib/core/errors.ts";
import { durably } from "./durably.ts";
import { type Key, keyText, toValue } from "./key.ts";
import type { Store } from "./open.ts";
import { backOff } from "./retry.ts";

/** What Deno KV takes in one atomic operation. */
export const MAX_CHECKS = 100;
/** Sets, deletes and sums in one atomic operation. */
export const MAX_MUTATIONS = 1000;
/** Keys read at once. */
const MAX_KEYS = 10;
const ATTEMPTS = 20;

/** One attempt at a change: reads are checked, writes are kept back and then commit all together or not at all. */
export interface Tx {
  /** The value under `key`, as this transaction left it; the commit fails and is tried again if another writer changes it. */
  get<T>(key: Key): Promise<T | null>;
  /** The value under `key` without a check at the commit, for what may change meanwhile without harm. */
  peek<T>(key: Key): Promise<T | null>;
  /** Writes `value`; with `expireIn` (milliseconds) the store may drop it after that time. */
  set(key: Key, value: unknown, options?: { expireIn?: number }): void;
  delete(key: Key): void;
  /** Adds to a counter without reading it, so that writers of one counter never conflict. */
  sum(key: Key, amount: bigint): void;
  /** Numbers what this transaction writes, in order: six digits, from 000000. */
  nextOrder(): string;
  /** The next whole number of the sequence `name`, from 1, without gaps. */
  nextId(name: string): Promise<number>;
}

/** Thrown by a transaction's work that read two moments of the store: it is run again. */
export class StaleRead extends Error {
  override readonly name = "StaleRead";
}

/**
 * Runs `work` and commits what it wrote in one atomic operation; when another writer came between, runs it again.
 * `work` must have no side effects; a refusal that it throws holds for one moment of the store. With `queue`, changes of that name stand in line within this process.
 * @throws AppError CONFLICT when writers kept coming between, UNAVAILABLE when the store cannot be written.
 */
export function transact<T>(store: Store, work: (tx: Tx) => Promise<T>, queue?: string): Promise<T> {
  const attempts = () => attemptUntilCommitted(store, work);
  return queue === undefined ? attempts() : store.queues.run(queue, attempts);
}

async function attemptUntilCommitted<T>(store: Store, work: (tx: Tx) => Promise<T>): Promise<T> {
  for (let failed = 0; failed < ATTEMPTS; failed++) {
    const outcome = await attempt(store, work);
    if (outcome !== null) return outcome.result;
    store.tally.conflicts++;
    await backOff(Math.min(failed, 6));
  }
  throw new AppError("CONFLICT", "Others were changing the same thing. Please try again.");
}

/** One attempt: what `work` gave, or null when it has to be run again. */
async function attempt<T>(store: Store, work: (tx: Tx) => Promise<T>): Promise<{ result: T } | null> {
  const change = new Change(store.kv);
  try {
    const result = await work(change);
    change.requireFits();
    return await durably(store, () => change.commit()) ? { result } : null;
  } catch (error) {
    // What was read at different moments may never have been true together: nobody is refused for that.
    const isStale = error instanceof StaleRead || error instanceof AppError && !await change.isCurrent();
    if (isStale) return null;
    throw error;
  }
}

type Write =
  | {
    readonly kind: "set";
    readonly key: Key;
    readonly value: unknown;
    readonly expireIn: number | undefined;
  }
  | { readonly kind: "delete"; readonly key: Key };

function written<T>(write: Write): T | null {
  return write.kind === "delete" ? null : toValue<T>(write.value);
}

class Change implements Tx {
  readonly #kv: Deno.Kv;
  readonly #read = new Map<string, Deno.KvEntryMaybe<unknown>>();
  readonly #writes = new Map<string, Write>();
  readonly #sums = new Map<string, { key: Key; amount: bigint }>();
  #order = 0;

  constructor(kv: Deno.Kv) {
    this.#kv = kv;
  }

  async get<T>(key: Key): Promise<T | null> {
    const name = keyText(key);
    const write = this.#writes.get(name);
    if (write !== undefined) return written<T>(write);
    const entry = this.#read.get(name) ?? await this.#kv.get(key);
    this.#read.set(name, entry);
    return toValue<T | null>(entry.value);
  }

  async peek<T>(key: Key): Promise<T | null> {
    const name = keyText(key);
    const write = this.#writes.get(name);
    if (write !== undefined) return written<T>(write);
    return toValue<T | null>((this.#read.get(name) ?? await this.#kv.get(key)).value);
  }

  set(key: Key, value: unknown, options: { expireIn?: number } = {}): void {
    this.#writes.set(keyText(key), { kind: "set", key, value, expireIn: options.expireIn });
  }

  delete(key: Key): void {
    this.#writes.set(keyText(key), { kind: "delete", key });
  }

  sum(key: Key, amount: bigint): void {
    const name = keyText(key);
    this.#sums.set(name, { key, amount: amount + (this.#sums.get(name)?.amount ?? 0n) });
  }

  nextOrder(): string {
    return String(this.#order++).padStart(6, "0");
  }

  async nextId(name: string): Promise<number> {
    const key = ["seq", name];
    const id = (await this.get<number>(key) ?? 0) + 1;
    this.set(key, id);
    return id;
  }

  /** Larger changes are a mistake of the code that makes them, so they are not told as a failure of the store. */
  requireFits(): void {
    if (this.#read.size > MAX_CHECKS || this.#writes.size + this.#sums.size > MAX_MUTATIONS) {
      throw new RangeError(
        `One change may read ${MAX_CHECKS} and write ${MAX_MUTATIONS} keys; ` +
          `this one reads ${this.#read.size} and writes ${this.#writes.size + this.#sums.size}`,
      );
    }
  }

  /** Whether all that was read is still so: then there was a moment at which it was all true. */
  async isCurrent(): Promise<boolean> {
    const read = [...this.#read.values()];
    for (let at = 0; at < read.length; at += MAX_KEYS) {
      const part = read.slice(at, at + MAX_KEYS);
      const now = await this.#kv.getMany(part.map(({ key }) => key));
      if (part.some(({ versionstamp }, index) => now[index]?.versionstamp !== versionstamp)) return false;
    }
    return true;
  }

  async commit(): Promise<boolean> {
    const atomic = this.#kv.atomic();
    for (const { key, versionstamp } of this.#read.values()) atomic.check({ key, versionstamp });
    for (const write of this.#writes.values()) {
      if (write.kind === "delete") atomic.delete(write.key);
      else if (write.expireIn === undefined) atomic.set(write.key, write.value);
      else atomic.set(write.key, write.value, { expireIn: write.expireIn });
    }
    for (const { key, amount } of this.#sums.values()) atomic.sum(key, amount);
    return (await atomic.commit()).ok;
  }
}
