import { AppError } from "@/lib/core/errors.ts";
import { Change } from "./change.ts";
import { durably } from "./durably.ts";
import type { Store } from "./open.ts";
import { backOff } from "./retry.ts";
import type { Tx } from "./tx.ts";

const ATTEMPTS = 20;

export type { Tx };

/** Thrown by a transaction's work that read two moments of the store; the work is run again. */
export class StaleRead extends Error {
  override readonly name = "StaleRead";
}

/**
 * Runs `work` and commits its writes in one atomic operation; runs it again when another writer came first.
 * `work` must have no side effects; a refusal that it throws reflects one moment of the store. With `queue`,
 * changes of that name take turns within this process.
 * @throws AppError CONFLICT when other writers kept coming first, UNAVAILABLE when the store cannot be
 * written.
 */
export function transact<T>(store: Store, work: (tx: Tx) => Promise<T>, queue?: string): Promise<T> {
  const attempts = () => attemptUntilCommitted(store, work);
  return queue === undefined ? attempts() : store.queues.run(queue, attempts);
}

/** Runs reads that are written for a transaction, without committing anything. */
export async function readWithin<T>(store: Store, work: (tx: Tx) => Promise<T>): Promise<T> {
  return await work(new Change(store.kv));
}

async function attemptUntilCommitted<T>(store: Store, work: (tx: Tx) => Promise<T>): Promise<T> {
  for (let failed = 0; failed < ATTEMPTS; failed++) {
    const outcome = await attempt(store, work);
    if (outcome !== null) return outcome.result;
    store.tally.conflicts++;
    await backOff(Math.min(failed, 6));
  }
  throw new AppError("CONFLICT", "Another request changed the same data. Please try again.");
}

/** Commits a change and wakes who waits for it, also when the commit is answered too late for its request. */
export async function commitAndNotify({ signals }: Store, change: Change): Promise<boolean> {
  const isCommitted = await change.commit();
  if (isCommitted) signals.notify(change.signalNames);
  return isCommitted;
}

/** Makes one attempt: returns the result of `work`, or null when it has to be run again. */
async function attempt<T>(store: Store, work: (tx: Tx) => Promise<T>): Promise<{ result: T } | null> {
  const change = new Change(store.kv);
  let result: T;
  try {
    result = await work(change);
  } catch (error) {
    // Values read at different moments may never have been true together, so they are no reason to refuse a
    // request.
    const isStale = error instanceof StaleRead || error instanceof AppError && !await change.isCurrent();
    if (isStale) return null;
    throw error;
  }
  change.requireFits();
  // A commit that fails may have been carried out all the same, so its work is not run again.
  return await durably(store, () => commitAndNotify(store, change)) ? { result } : null;
}
