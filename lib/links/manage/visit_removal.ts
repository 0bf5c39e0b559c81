import type { Kv } from "@/lib/store/kv.ts";
import { dayOf, HOUR_MS, hourOf } from "@/lib/core/days.ts";
import { createWorker, type Worker } from "@/lib/core/worker.ts";
import { durably } from "@/lib/store/durably.ts";
import { type Entry, readRecord, toEntry, toValue } from "@/lib/store/key.ts";
import type { Store } from "@/lib/store/open.ts";
import { linkKeys, type Rank } from "../store.ts";
import type { VisitCompactor } from "../visit_compactor.ts";
import { readLoggedTimes } from "../visit_log.ts";

/** Schedule of the worker, which is also woken by each deletion. */
const EVERY_MS = 60_000;
/** Bounds of one commit: entries, and hours, each of which takes up to three writes. */
const MAX_ENTRIES = 150;
const MAX_HOURS = 250;
const MAX_ROWS = 500;

/**
 * Creates the worker that removes the visits of deleted links from all statistics, in bounded commits after each
 * of which every total is exact. It continues after an interruption, and several processes may run it.
 */
export function createVisitRemover(
  store: Store,
  compactor: VisitCompactor,
  report: (error: unknown) => void,
): Worker {
  const work = async (isStopped: () => boolean) => {
    let removed = 0;
    for await (const { key } of store.kv.list({ prefix: linkKeys.removals }, { batchSize: 100 })) {
      if (isStopped()) break;
      if (await removeVisits({ store, compactor }, toValue<string>(key[1]), isStopped)) removed++;
    }
    return removed;
  };
  return createWorker(work, { everyMs: EVERY_MS, report });
}

/** Removes the visits of a deleted link; returns whether none is left. */
async function removeVisits(
  { store, compactor }: { readonly store: Store; readonly compactor: VisitCompactor },
  short: string,
  isStopped: () => boolean,
): Promise<boolean> {
  // A deleted link gets no visits, so those in the log are all; they have to leave it first.
  for (let attempts = 0; (await readLoggedTimes(store.kv, new Set([short]))).size > 0; attempts++) {
    if (isStopped() || attempts === 10) return false;
    await compactor.catchUp(1000);
  }
  while (!isStopped()) {
    const left = await removeSomeVisits(store, short) || await removeSomeDays(store, short);
    if (!left) return true;
  }
  return false;
}

/** Visits to remove in one commit. */
interface Removal {
  readonly entries: readonly Entry<Float64Array>[];
  readonly hours: ReadonlyMap<number, number>;
  /** Visits of the last entry that have to wait for the next commit. */
  readonly rest: Float64Array;
  readonly count: number;
}

/** Removes some visits with their sums; returns false when none was left. */
async function removeSomeVisits(store: Store, short: string): Promise<boolean> {
  const { kv } = store;
  const fold = await kv.get(linkKeys.visitFold(short));
  const { entries, hours, rest, count } = await readRemoval(kv, short);
  if (entries.length === 0) return false;
  const since = await readRecord<number>(kv, linkKeys.visitHoursSince) ?? -Infinity;
  const rank = (await kv.get<Rank>(linkKeys.rankOf(short))).value;
  await durably(store, async () => {
    // A fold or another removal that runs meanwhile fails, or makes this commit fail. The compactor does not touch
    // the link again.
    const atomic = kv.atomic().check(fold);
    atomic.set(linkKeys.visitFold(short), { start: linkKeys.visitsOf(short) });
    for (const { key } of entries) atomic.delete(key);
    if (rest.length > 0) atomic.set(linkKeys.visits(short, rest[0] ?? 0, crypto.randomUUID()), rest);
    for (const [hour, visits] of hours) {
      if (hour >= since) atomic.sum(linkKeys.visitHour(hour), minus(visits));
    }
    for (const [day, visits] of toDays(hours)) {
      atomic.sum(linkKeys.visitDay(day), minus(visits)).sum(linkKeys.visitDayOf(short, day), minus(visits));
    }
    atomic.sum(linkKeys.visitCount, minus(count)).sum(linkKeys.visitCountOf(short), minus(count));
    if (rank !== null) {
      const left = { ...rank, count: rank.count - count };
      atomic.delete(linkKeys.rank(rank.count, short));
      atomic.set(linkKeys.rank(left.count, short), left.last).set(linkKeys.rankOf(short), left);
    }
    await atomic.commit();
  });
  return true;
}

async function readRemoval(kv: Kv, short: string): Promise<Removal> {
  const entries: Entry<Float64Array>[] = [];
  const hours = new Map<number, number>();
  let count = 0;
  const listing = kv.list({ prefix: [...linkKeys.visitsOf(short)] }, { limit: MAX_ENTRIES, batchSize: 100 });
  for await (const listed of listing) {
    const entry = toEntry<Float64Array>(listed);
    entries.push(entry);
    for (const [at, time] of entry.value.entries()) {
      const hour = hourOf(time);
      if (!hours.has(hour) && hours.size === MAX_HOURS) {
        return { entries, hours, rest: entry.value.slice(at), count };
      }
      hours.set(hour, (hours.get(hour) ?? 0) + 1);
      count++;
    }
  }
  return { entries, hours, rest: new Float64Array(0), count };
}

function toDays(hours: ReadonlyMap<number, number>): ReadonlyMap<number, number> {
  const days = new Map<number, number>();
  for (const [hour, visits] of hours) {
    const day = dayOf(hour * HOUR_MS);
    days.set(day, (days.get(day) ?? 0) + visits);
  }
  return days;
}

/** Removes some of the link's sums by day and, with the last of them, everything else; returns whether some are left. */
async function removeSomeDays(store: Store, short: string): Promise<boolean> {
  const { kv } = store;
  const rows = await Array.fromAsync(
    kv.list({ prefix: [...linkKeys.visitDaysOf(short)] }, { limit: MAX_ROWS, batchSize: MAX_ROWS }),
  );
  const isLast = rows.length < MAX_ROWS;
  await durably(store, async () => {
    const atomic = kv.atomic();
    for (const { key } of rows) atomic.delete(key);
    if (isLast) {
      atomic.delete(linkKeys.rank(0, short)).delete(linkKeys.rankOf(short)).delete(linkKeys.visitFold(short));
      atomic.delete(linkKeys.visitCountOf(short)).delete(linkKeys.removal(short));
    }
    await atomic.commit();
  });
  return !isLast;
}

/** Returns the number that lowers a counter of 64 bits when it is added. */
function minus(count: number): bigint {
  return BigInt.asUintN(64, BigInt(-count));
}
