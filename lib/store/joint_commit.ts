import { AppError } from "@/lib/core/errors.ts";
import { Change } from "./change.ts";
import { durably } from "./durably.ts";
import { createGroupCommitter, type GroupCommitter } from "./group_commit.ts";
import { createSharedReads } from "./joined_reads.ts";
import type { Key } from "./key.ts";
import type { Store } from "./open.ts";
import { backOff } from "./retry.ts";
import { commitAndNotify, StaleRead, type Tx } from "./transact.ts";

/** A transaction that shares its commit with others of its kind. */
export interface JointTx extends Tx {
  /** Returns a number greater than all committed before; numbers of refused changes are left out. */
  takeId(): number;
  /** Announces the size of its writes in bytes, because a commit is limited. */
  weigh(bytes: number): void;
}

/** Work of one change: as with `transact`, it may run more than once and has no side effects. */
export type JointWork<T> = (tx: JointTx) => Promise<T>;

/** Runs independent changes that arrive together in one atomic commit. */
export interface JointCommitter<T> {
  /**
   * Settles once the change is durably stored.
   * @throws AppError of the work, CONFLICT when other writers kept coming first, UNAVAILABLE when the store
   * cannot be written.
   */
  run(work: JointWork<T>): Promise<T>;
  readonly depth: number;
  drain(): Promise<void>;
}

/** Maximum number of changes in a commit. */
const MAX_ITEMS = 64;
/** Maximum size of the writes of a commit, in bytes; the store takes 819,200 including keys. */
const MAX_BYTES = 600_000;
const ATTEMPTS = 20;

/**
 * Creates a committer whose changes take their ids from the counter under `idKey`, so that ids ascend in the
 * order of the commits, also with several processes on the store.
 */
export function createJointCommitter<T>(store: Store, idKey: Key): JointCommitter<T> {
  const line: GroupCommitter<JointWork<T>, T> = createGroupCommitter({
    maxItems: MAX_ITEMS,
    commit: (works) => commitAll(store, idKey, works),
  });
  return {
    run: (work) => line.submit(work),
    get depth() {
      return line.depth;
    },
    drain: () => line.drain(),
  };
}

/** A change and its outcome, which is null until it is stored. */
interface Item<T> {
  readonly work: JointWork<T>;
  outcome: { readonly value: T } | { readonly error: Error } | null;
}

async function commitAll<T>(
  store: Store,
  idKey: Key,
  works: readonly JointWork<T>[],
): Promise<(T | Error)[]> {
  const items: Item<T>[] = works.map((work) => ({ work, outcome: null }));
  for (let failed = 0; failed < ATTEMPTS;) {
    const open = items.filter(({ outcome }) => outcome === null);
    if (open.length === 0) break;
    if (await commitSome(store, idKey, open)) continue;
    store.tally.conflicts++;
    await backOff(Math.min(failed++, 6));
  }
  return items.map(({ outcome }) => {
    if (outcome === null) {
      return new AppError("CONFLICT", "Another request changed the same data. Please try again.");
    }
    return "value" in outcome ? outcome.value : outcome.error;
  });
}

/** Runs all works and commits those that fit together; returns false when none of them finished. */
async function commitSome<T>(store: Store, idKey: Key, items: readonly Item<T>[]): Promise<boolean> {
  const reads = createSharedReads(store.kv);
  const joint = new Change(store.kv, reads);
  const ids = { last: await joint.get<number>(idKey) ?? 0 };
  const first = ids.last;
  const ran = await Promise.all(items.map((item) => runItem(new Change(store.kv, reads), item, ids)));
  const joined = joinThose(joint, ran);
  // A refused change must not wait for the commit of others, nor fail with them.
  const isSettled = items.some(({ outcome }) => outcome !== null);
  if (joined.length === 0) return isSettled;
  if (ids.last > first) joint.set(idKey, ids.last);
  if (!await durably(store, () => commitAndNotify(store, joint))) return isSettled;
  for (const { item, value } of joined) item.outcome = { value };
  return true;
}

interface Ran<T> {
  readonly item: Item<T>;
  readonly change: Change;
  readonly value: T;
  readonly bytes: number;
}

/** Runs one work; null when it was refused or has to be run again. */
async function runItem<T>(change: Change, item: Item<T>, ids: { last: number }): Promise<Ran<T> | null> {
  let bytes = 0;
  const tx: JointTx = Object.assign(change, {
    takeId: () => ++ids.last,
    weigh: (weight: number) => void (bytes += weight),
  });
  try {
    const value = await item.work(tx);
    change.requireFits();
    return { item, change, value, bytes };
  } catch (error) {
    const isStale = error instanceof StaleRead || error instanceof AppError && !await change.isCurrent();
    if (!isStale) item.outcome = { error: error instanceof Error ? error : new Error(String(error)) };
    return null;
  }
}

/** Joins the changes that fit together, in their order; the others run again on the new state. */
function joinThose<T>(joint: Change, ran: readonly (Ran<T> | null)[]): Ran<T>[] {
  let room = MAX_BYTES;
  return ran.filter((one): one is Ran<T> => {
    if (one === null || (one.bytes > room && room < MAX_BYTES) || !joint.join(one.change)) return false;
    room -= one.bytes;
    return true;
  });
}
