import type { Clock } from "@/lib/core/clock.ts";
import { createWorker, type Worker, type WorkerParts } from "@/lib/core/worker.ts";
import { durably } from "./durably.ts";
import { type Entry, type Key, toEntry } from "./key.ts";
import type { Store } from "./open.ts";

/** Number of rows read at once. */
const BATCH = 100;

/**
 * Thrown by a transaction that claims a row which another process handled or a request changed in the
 * meantime; the row is skipped without a report.
 */
export class NoLongerDue extends Error {
  override readonly name = "NoLongerDue";
}

/** Store and clock of a worker. */
interface DueApp {
  readonly store: Store;
  readonly clock: Clock;
}

/** Rows below a prefix, ordered by their due time, and the function that processes one of them. */
export interface DueWork extends WorkerParts {
  readonly prefix: Key;
  /** Processes a row; long work ends early when `isStopped` returns true. */
  readonly process: (key: Key, isStopped: () => boolean) => Promise<void>;
}

/**
 * Creates a worker that processes the due rows in their order. Rows are not leased: `process` claims its row
 * in the commit of its effect, so that several servers may run the worker on one store.
 */
export function createDueWorker(app: DueApp, work: DueWork): Worker {
  return createWorker((isStopped) => sweepDue(app, work, isStopped), work);
}

/** Processes all due rows and returns how many succeeded. */
async function sweepDue(
  { store, clock }: DueApp,
  { prefix, process, report }: DueWork,
  isStopped: () => boolean,
): Promise<number> {
  const now = clock.now();
  let start = prefix;
  let count = 0;
  for (;;) {
    const due = await listDue(store, prefix, { now, limit: BATCH, start });
    for (const { key } of due) {
      if (isStopped()) return count;
      // A row that fails does not delay the others; it is retried by the next sweep.
      await process(key, isStopped).then(() => count++, (error) => {
        if (!(error instanceof NoLongerDue)) report(error);
      });
      start = [...key, 0];
    }
    if (due.length < BATCH) return count;
  }
}

/** Returns the number of due rows below a prefix; at most `max`. */
export async function countDue({ store, clock }: DueApp, prefix: Key, max: number): Promise<number> {
  return (await listDue(store, prefix, { now: clock.now(), limit: max })).length;
}

/** Rows that are due at `now`, from `start` on: all of them by default. */
interface DueRange {
  readonly now: number;
  readonly limit: number;
  readonly start?: Key;
}

/** Returns the rows below a prefix that are due, earliest first. Leased rows are not due. */
export async function listDue<T>(
  { kv }: Store,
  prefix: Key,
  { now, limit, start = prefix }: DueRange,
): Promise<Entry<T>[]> {
  const listing = kv.list({ start: [...start], end: [...prefix, now + 1] }, { limit });
  return await Array.fromAsync(listing, (entry) => toEntry<T>(entry));
}

/**
 * Moves rows to another due time, which is the second part of their keys, and changes their values; null if another
 * process has moved one of them. Until a lease ends, the process has the rows that it moved to that time.
 */
export async function moveDue<T>(
  store: Store,
  rows: readonly Entry<T>[],
  due: number,
  change: (value: T) => T = (value) => value,
): Promise<Entry<T>[] | null> {
  const moved = rows.map(({ key, value }) => ({
    key: [...key.slice(0, 1), due, ...key.slice(2)],
    value: change(value),
  }));
  const result = await durably(store, () => {
    const atomic = store.kv.atomic().check(...rows);
    for (const { key } of rows) atomic.delete(key);
    for (const { key, value } of moved) atomic.set(key, value);
    return atomic.commit();
  });
  return result.ok ? moved.map((row) => ({ ...row, versionstamp: result.versionstamp })) : null;
}

/** Deletes rows that are done. Rows that another process has leased meanwhile have other keys and stay. */
export async function deleteDue(store: Store, rows: readonly Entry<unknown>[]): Promise<void> {
  if (rows.length === 0) return;
  await durably(store, () => {
    const atomic = store.kv.atomic();
    for (const { key } of rows) atomic.delete(key);
    return atomic.commit();
  });
}
