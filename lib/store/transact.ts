import { AppError } from "@/lib/core/errors.ts";
import { Change, StaleRead } from "./change.ts";
import { durably } from "./durably.ts";
import type { Store } from "./open.ts";
import { backOff } from "./retry.ts";
import type { Tx } from "./tx.ts";

/** Attempts at a change: those of several rests of another process that changes the organization without pause. */
export const ATTEMPTS = 120;
/** Exponent of the longest pause between two attempts, which is 17 ms: shorter than a rest of another process. */
export const LONGEST_PAUSE = 3;
/** Runs that may end because rows had to be loaded; each finds more of them in memory. */
const MAX_LOADS = 1000;

export { StaleRead, type Tx };

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
  for (;;) {
    try {
      return await work(new Change(store, { isCurrent: true }));
    } catch (error) {
      // The rows that it had to wait for are in memory then.
      if (!(error instanceof StaleRead)) throw error;
    }
  }
}

async function attemptUntilCommitted<T>(store: Store, work: (tx: Tx) => Promise<T>): Promise<T> {
  let before: Change | null = null;
  for (let failed = 0, loads = 0; failed < ATTEMPTS && loads < MAX_LOADS;) {
    // Where this process knows of no later change, or the attempt had its turn, another process has come first.
    const isForeign: boolean = before !== null && (failed > 1 || before.isLatest);
    if (isForeign) await backOff(Math.min(failed - 1, LONGEST_PAUSE));
    const change: Change = new Change(store, { isCurrent: isForeign });
    const outcome = await attemptInTurn(store, { change, before }, work);
    if (outcome !== null) return outcome.result;
    before = change;
    if (change.isStale) loads++;
    else failed++;
    store.tally.conflicts++;
  }
  throw new AppError("CONFLICT", "Another request changed the same data. Please try again.");
}

/** Makes one attempt. The first takes its turn to commit; a later one to run as well, so that it is not in vain. */
async function attemptInTurn<T>(
  store: Store,
  { change, before }: { change: Change; before: Change | null },
  work: (tx: Tx) => Promise<T>,
): Promise<{ result: T } | null> {
  const attempt = async () => {
    const outcome = await runWork(change, work);
    if (outcome === null) return null;
    const commit = async () => change.isLatest && await durably(store, () => commitAndNotify(store, change));
    // A commit that fails may have been carried out all the same, so its work is not run again.
    const isCommitted = before === null ? await inTurns(store, change.organizations, commit) : await commit();
    return isCommitted ? outcome : null;
  };
  return before === null ? await attempt() : await inTurns(store, before.organizations, attempt);
}

/** Runs work in its turn among the changes of organizations, and those that rely on them, of this process. */
export async function inTurns<T>(
  { replicas }: Store,
  organizations: ReadonlyMap<number, boolean>,
  work: () => Promise<T>,
): Promise<T> {
  // All take their turns in one order, so that no two wait for each other.
  const ascending = [...organizations].sort(([one], [other]) => other - one);
  return await ascending.reduce(
    (inner, [realmId, isChange]) => () => replicas.inTurn(realmId, isChange, inner),
    work,
  )();
}

/** Commits a change and wakes who waits for it, also when the commit is answered too late for its request. */
export async function commitAndNotify({ signals }: Store, change: Change): Promise<boolean> {
  const isCommitted = await change.commit();
  if (isCommitted) signals.notify(change.signalNames);
  return isCommitted;
}

/** Runs the work of a change: returns its result, or null when it has to be run again. */
async function runWork<T>(change: Change, work: (tx: Tx) => Promise<T>): Promise<{ result: T } | null> {
  try {
    const result = await work(change);
    await change.prepare();
    change.requireFits();
    return { result };
  } catch (error) {
    // Values read at different moments may never have been true together, so they are no reason to refuse a
    // request.
    const isStale = error instanceof StaleRead || error instanceof AppError && !await change.isCurrent();
    if (isStale) return null;
    throw error;
  }
}
