import type { Clock } from "@/lib/core/clock.ts";
import { createWorker, type Worker, type WorkerParts } from "@/lib/core/worker.ts";
import type { Key } from "./key.ts";
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
  app: DueApp,
  { prefix, process, report }: DueWork,
  isStopped: () => boolean,
): Promise<number> {
  const end = endOfDue(app, prefix);
  let start = prefix;
  let count = 0;
  for (;;) {
    const keys = await listKeys(app.store, { start, end, limit: BATCH });
    for (const key of keys) {
      if (isStopped()) return count;
      // A row that fails does not delay the others; it is retried by the next sweep.
      await process(key, isStopped).then(() => count++, (error) => {
        if (!(error instanceof NoLongerDue)) report(error);
      });
      start = [...key, 0];
    }
    if (keys.length < BATCH) return count;
  }
}

/** Returns the number of due rows below a prefix; at most `max`. */
export async function countDue(app: DueApp, prefix: Key, max: number): Promise<number> {
  return (await listKeys(app.store, { start: prefix, end: endOfDue(app, prefix), limit: max })).length;
}

function endOfDue({ clock }: DueApp, prefix: Key): Key {
  return [...prefix, clock.now() + 1];
}

async function listKeys(
  { kv }: Store,
  { start, end, limit }: { start: Key; end: Key; limit: number },
): Promise<Key[]> {
  const keys: Key[] = [];
  for await (const { key } of kv.list({ start: [...start], end: [...end] }, { limit })) keys.push(key);
  return keys;
}
