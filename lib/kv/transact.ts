import { AppError } from "@/lib/core/errors.ts";
import { Change } from "./change.ts";
import { durably } from "./durably.ts";
import type { Key } from "./key.ts";
import type { Store } from "./open.ts";
import { backOff } from "./retry.ts";

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
  /** Lets those in this process hear of it who listen for `name`, once it is committed. */
  ring(name: string): void;
  /** The next whole number of the sequence `name`, from 1, without gaps. */
  nextId(name: string): Promise<number>;
}

/** Thrown by a transaction's work that read two moments of the store: it is run again. */
export class StaleRead extends Error {
  override readonly name = "StaleRead";
}

/**
 * Runs `work` and commits what it wrote in one atomic operation; when another writer came between, runs it again.
 * `work` must have no side effects; a refusal that it throws holds for one moment of the store. With `queue`, changes of
 * that name stand in line within this process.
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
    if (!await durably(store, () => change.commit())) return null;
    store.bell.notify(change.rung);
    return { result };
  } catch (error) {
    // What was read at different moments may never have been true together: nobody is refused for that.
    const isStale = error instanceof StaleRead || error instanceof AppError && !await change.isCurrent();
    if (isStale) return null;
    throw error;
  }
}
