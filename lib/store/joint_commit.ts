import { AppError } from "@/lib/core/errors.ts";
import { Change, type ChangeOptions } from "./change.ts";
import { durably } from "./durably.ts";
import { createGroupCommitter, type GroupCommitter } from "./group_commit.ts";
import { createSharedReads } from "./joined_reads.ts";
import type { Key } from "./key.ts";
import type { Store } from "./open.ts";
import { backOff } from "./retry.ts";
import { ATTEMPTS, commitAndNotify, inTurns, LONGEST_PAUSE, StaleRead, type Tx } from "./transact.ts";

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
  let before: Change | null = null;
  for (let failed = 0; failed < ATTEMPTS;) {
    const open = items.filter(({ outcome }) => outcome === null);
    if (open.length === 0) break;
    const joint: Change = new Change(store);
    const isForeign: boolean = before?.isLatest === true;
    const attempt = (): Promise<boolean> =>
      commitSome(store, { idKey, joint, isForeign, isInTurn: before !== null }, open);
    const isSettled: boolean = before === null
      ? await attempt()
      : await inTurns(store, before.organizations, attempt);
    before = isSettled ? null : joint;
    if (isSettled) continue;
    store.tally.conflicts++;
    if (isForeign) await backOff(Math.min(failed, LONGEST_PAUSE));
    failed++;
  }
  return items.map(({ outcome }) => {
    if (outcome === null) {
      return new AppError("CONFLICT", "Another request changed the same data. Please try again.");
    }
    return "value" in outcome ? outcome.value : outcome.error;
  });
}

/** One attempt at a commit: the change that the others join, and what the attempt before has shown. */
interface Attempt {
  readonly idKey: Key;
  readonly joint: Change;
  /** Whether another process has changed an organization. */
  readonly isForeign: boolean;
  readonly isInTurn: boolean;
}

/** Runs all works and commits those that fit together; returns false when none of them finished. */
async function commitSome<T>(
  store: Store,
  { idKey, joint, isForeign, isInTurn }: Attempt,
  items: readonly Item<T>[],
): Promise<boolean> {
  const readEntry = createSharedReads(store.kv);
  const options = { readEntry, isCurrent: isForeign };
  const counter = new Change(store, options);
  const ids = { last: await counter.get<number>(idKey) ?? 0 };
  const first = ids.last;
  const ran = await Promise.all(items.map((item) => runItem(new JointChange(store, options, ids), item)));
  joint.join(counter);
  const joined = joinThose(joint, ran);
  // A refused change must not wait for the commit of others, nor fail with them.
  const isSettled = items.some(({ outcome }) => outcome !== null);
  if (joined.length === 0) return isSettled;
  if (ids.last > first) joint.set(idKey, ids.last);
  const commit = async () => joint.isLatest && await durably(store, () => commitAndNotify(store, joint));
  if (!await (isInTurn ? commit() : inTurns(store, joint.organizations, commit))) return isSettled;
  for (const { item, value } of joined) item.outcome = { value };
  return true;
}

/** A change that shares its commit. */
class JointChange extends Change implements JointTx {
  readonly #ids: { last: number };
  /** Announced size of its writes. */
  bytes = 0;

  constructor(store: Store, options: ChangeOptions, ids: { last: number }) {
    super(store, options);
    this.#ids = ids;
  }

  takeId(): number {
    return ++this.#ids.last;
  }

  weigh(bytes: number): void {
    this.bytes += bytes;
  }
}

interface Ran<T> {
  readonly item: Item<T>;
  readonly change: JointChange;
  readonly value: T;
}

/** Runs one work; null when it was refused or has to be run again. */
async function runItem<T>(change: JointChange, item: Item<T>): Promise<Ran<T> | null> {
  try {
    const value = await item.work(change);
    await change.prepare();
    change.requireFits();
    return { item, change, value };
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
    if (one === null || (one.change.bytes > room && room < MAX_BYTES) || !joint.join(one.change)) {
      return false;
    }
    room -= one.change.bytes;
    return true;
  });
}
