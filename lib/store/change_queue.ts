import { AppError, toError } from "@/lib/core/errors.ts";
import { Change, type ChangeOptions, sequenceKey } from "./change.ts";
import { CommitQueue } from "./commit_queue.ts";
import { durably } from "./durably.ts";
import { type Key, keyText } from "./key.ts";
import { createSharedReads, type ReadEntry } from "./reads.ts";
import type { Store } from "./open.ts";
import { backOff } from "./retry.ts";
import { ATTEMPTS, commitAndNotify, inTurns, LONGEST_PAUSE, StaleRead, type Tx } from "./transact.ts";

/** A transaction that shares its commit with others of its queue. */
export interface SharedTx extends Tx {
  /**
   * Returns a number of the sequence `name` that is greater than all committed before, also by other processes. Numbers
   * of refused changes are left out.
   */
  takeId(name: string): Promise<number>;
  /** Announces the size of its writes in bytes, because a commit is limited. */
  weigh(bytes: number): void;
}

/** Work of one change: as with `transact`, it may run more than once and has no side effects. */
export type SharedWork<T> = (tx: SharedTx) => Promise<T>;

/**
 * Runs changes that arrive together in one atomic commit. A change that fails with the AppError of its work fails
 * alone; it fails with CONFLICT when other writers kept coming first, and UNAVAILABLE when the store cannot be written.
 */
export type ChangeQueue<T> = CommitQueue<SharedWork<T>, T>;

/** Maximum number of changes in a commit. */
const MAX_ITEMS = 64;
/** Maximum size of the writes of a commit, in bytes; the store takes 819,200 including keys. */
const MAX_BYTES = 600_000;

export function createChangeQueue<T>(store: Store): ChangeQueue<T> {
  const sequences: Sequences = new Map();
  return new CommitQueue<SharedWork<T>, T>({
    maxItems: MAX_ITEMS,
    commit: (works) => commitAll({ store, sequences }, works),
  });
}

/** Numbers that sequences had reached with the last commit of this process, by the texts of their keys. */
type Sequences = Map<string, LastNumber>;

interface LastNumber {
  readonly entry: Deno.KvEntry<unknown>;
  /** Whether no other process took a number between the last two commits: then the next one relies on it unread. */
  readonly isAlone: boolean;
}

/** The store of a queue, and what the queue knows of it. */
interface Basis {
  readonly store: Store;
  readonly sequences: Sequences;
}

type Outcome<T> = { readonly value: T } | { readonly error: Error };

function isRefusal<T>(outcome: Outcome<T> | null): boolean {
  return outcome !== null && "error" in outcome;
}

/** A change and its outcome, which is null until it is stored. */
interface Item<T> {
  readonly work: SharedWork<T>;
  outcome: Outcome<T> | null;
}

async function commitAll<T>(basis: Basis, works: readonly SharedWork<T>[]): Promise<(T | Error)[]> {
  const items: Item<T>[] = works.map((work) => ({ work, outcome: null }));
  try {
    await commitUntilSettled(basis, items);
  } catch (error) {
    // A commit before may have stored some of them.
    for (const item of items) item.outcome ??= { error: toError(error) };
  }
  return items.map(({ outcome }) => {
    if (outcome === null) {
      return new AppError("CONFLICT", "Another request changed the same data. Please try again.");
    }
    return "value" in outcome ? outcome.value : outcome.error;
  });
}

async function commitUntilSettled<T>(basis: Basis, items: readonly Item<T>[]): Promise<void> {
  const { store } = basis;
  let before: Change | null = null;
  let wasInTurn = false;
  for (let failed = 0; failed < ATTEMPTS;) {
    const open = items.filter(({ outcome }) => outcome === null);
    if (open.length === 0) break;
    const joint: Change = new Change(store);
    const isInTurn: boolean = before !== null;
    const isForeign: boolean = before !== null && (wasInTurn || before.isLatest);
    const attempt = (): Promise<boolean> => commitSome(basis, { joint, isForeign, isInTurn }, open);
    const isSettled: boolean = before === null
      ? await attempt()
      : await inTurns(store, before.organizations, attempt);
    before = isSettled ? null : joint;
    if (isSettled) continue;
    store.tally.conflicts++;
    // An attempt in its turn fails because of another process.
    wasInTurn = isInTurn;
    if (wasInTurn) await backOff(Math.min(failed, LONGEST_PAUSE));
    failed++;
  }
}

/** One attempt at a commit: the change that the others join, and what the attempt before has shown. */
interface Attempt {
  readonly joint: Change;
  /** Whether another process has changed an organization. */
  readonly isForeign: boolean;
  readonly isInTurn: boolean;
}

/** Runs all works and commits those that fit together; returns false when none of them finished. */
async function commitSome<T>(
  { store, sequences }: Basis,
  { joint, isForeign, isInTurn }: Attempt,
  items: readonly Item<T>[],
): Promise<boolean> {
  const read = createSharedReads(store.kv);
  const readEntry: ReadEntry = (key, text) => {
    const last = isInTurn ? undefined : sequences.get(text);
    return last?.isAlone === true ? Promise.resolve(last.entry) : read(key, text);
  };
  const options = { readEntry, isCurrent: isForeign, bases: new Map() };
  const ids = new Map<string, number>();
  const ran = await Promise.all(items.map((item) => run(item, new SharedChange(store, ids, options))));
  for (const { item, outcome } of ran) {
    // A refused change must not wait for the commit of others, nor fail with them.
    if (isRefusal(outcome)) item.outcome = outcome;
  }
  const isSettled = items.some(({ outcome }) => outcome !== null);
  const joined = await joinAll(joint, ran, (item) => {
    return run(item, new SharedChange(store, ids, { ...options, before: joint }));
  });
  if (joined.length === 0) return isSettled;
  const taken = new Set(
    joined.flatMap(({ change, outcome }) => isRefusal(outcome) ? [] : [...change.sequences]),
  );
  for (const name of taken) joint.set(sequenceKey(name), ids.get(name));
  const commit = async () => joint.isLatest && await durably(store, () => commitAndNotify(store, joint));
  if (!await (isInTurn ? commit() : inTurns(store, joint.organizations, commit))) return isSettled;
  for (const { item, outcome } of joined) item.outcome = outcome;
  for (const name of taken) keepLast(sequences, joint, { key: sequenceKey(name), value: ids.get(name) });
  return true;
}

function keepLast(sequences: Sequences, joint: Change, { key, value }: { key: Key; value: unknown }): void {
  const text = keyText(key);
  const isAlone = sequences.get(text)?.entry.versionstamp === joint.stampOf(text);
  sequences.set(text, { entry: { key, value, versionstamp: joint.committedAs }, isAlone });
}

/** A change that shares its commit. */
class SharedChange extends Change implements SharedTx {
  readonly #ids: Map<string, number>;
  /** Names of the sequences from which it took numbers. */
  readonly sequences = new Set<string>();
  /** Announced size of its writes. */
  bytes = 0;

  /** `ids` holds the numbers that the changes of one commit have taken. */
  constructor(store: Store, ids: Map<string, number>, options: ChangeOptions) {
    super(store, options);
    this.#ids = ids;
  }

  async takeId(name: string): Promise<number> {
    const stored = await this.get<number>(sequenceKey(name)) ?? 0;
    const id = (this.#ids.get(name) ?? stored) + 1;
    this.#ids.set(name, id);
    this.sequences.add(name);
    return id;
  }

  weigh(bytes: number): void {
    this.bytes += bytes;
  }
}

/** One run of a work; its outcome is null when it has to be run again. */
interface Ran<T> {
  readonly item: Item<T>;
  readonly change: SharedChange;
  readonly outcome: Outcome<T> | null;
}

async function run<T>(item: Item<T>, change: SharedChange): Promise<Ran<T>> {
  try {
    const value = await item.work(change);
    await change.prepare();
    change.requireFits();
    return { item, change, outcome: { value } };
  } catch (error) {
    const isStale = error instanceof StaleRead || error instanceof AppError && !await change.isCurrent();
    return { item, change, outcome: isStale ? null : { error: toError(error) } };
  }
}

/**
 * Joins changes in their order, and returns those whose outcomes the commit decides. One that meets a change before it
 * runs once more, on its writes; those that do not fit are left to the next commit.
 */
async function joinAll<T>(
  joint: Change,
  ran: readonly Ran<T>[],
  runAfter: (item: Item<T>) => Promise<Ran<T>>,
): Promise<Ran<T>[]> {
  const joined: Ran<T>[] = [];
  let room = MAX_BYTES;
  for (const first of ran) {
    if (first.item.outcome !== null || first.outcome === null) continue;
    if (first.change.bytes > room && room < MAX_BYTES) continue;
    const outcome = joint.join(first.change);
    if (outcome === "full") continue;
    const last = outcome === "joined" ? first : await runAfter(first.item);
    if (last.outcome === null) continue;
    if (last !== first && !isRefusal(last.outcome) && joint.join(last.change) !== "joined") continue;
    joined.push(last);
    room -= last.change.bytes;
  }
  return joined;
}
