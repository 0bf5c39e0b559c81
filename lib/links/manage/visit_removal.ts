import { dayOf, HOUR_MS, hourOf } from "@/lib/core/clock.ts";
import { createWorker, type Worker } from "@/lib/core/worker.ts";
import { BulkWriter } from "@/lib/store/bulk_writer.ts";
import { durably } from "@/lib/store/durably.ts";
import { readRecord, toValue } from "@/lib/store/key.ts";
import { COMMIT_BUDGET } from "@/lib/store/kv.ts";
import type { Store } from "@/lib/store/open.ts";
import { linkKeys, type Rank, sizeOfKey } from "../store.ts";
import type { VisitCompactor } from "../visit_compactor.ts";
import { readLoggedTimes } from "../visit_log.ts";

/** Schedule of the worker, which is also woken by each deletion. */
const EVERY_MS = 60_000;

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
    for await (const { key } of store.kv.list({ prefix: linkKeys.removal() }, { batchSize: 100 })) {
      const short = toValue<string>(key[1]);
      // Visits that are not applied yet: the link gets no others, so the next run finds none.
      const isLogged = async () => (await readLoggedTimes(store.kv, new Set([short]))).size > 0;
      if (await isLogged()) await compactor.catchUp(1000);
      if (isStopped() || await isLogged()) continue;
      while (!isStopped() && await removeSomeVisits(store, short));
      if (!isStopped()) await removeSums(store, short);
      removed++;
    }
    return removed;
  };
  return createWorker(work, { everyMs: EVERY_MS, report });
}

/** Removes some visits with their sums; returns false when none was left. */
async function removeSomeVisits(store: Store, short: string): Promise<boolean> {
  const { kv } = store;
  // Bound of the entries of one commit, and of the hours, each of which takes up to three keys.
  const limit = Math.floor(COMMIT_BUDGET.keyBytes / (4 * sizeOfKey(short.length)));
  const rank = await kv.get<Rank>(linkKeys.rankOf(short));
  const { value: old } = rank;
  const prefix = linkKeys.visits(short);
  const entries = await Array.fromAsync(kv.list<Float64Array>({ prefix }, { limit }));
  if (entries.length === 0 || old === null) return false;
  const since = await readRecord<number>(kv, linkKeys.visitHoursSince) ?? -Infinity;
  await durably(store, async () => {
    // A fold or another removal that runs meanwhile fails, or makes this commit fail. The compactor does not touch
    // the link again.
    const atomic = kv.atomic().check(rank);
    const hours = new Map<number, number>();
    for (const { key, value } of entries) {
      const late = value.findIndex((time) => {
        const hour = hourOf(time);
        const isLate = hours.size === limit && !hours.has(hour);
        if (!isLate) hours.set(hour, (hours.get(hour) ?? 0) + 1);
        return isLate;
      });
      atomic.delete(key);
      if (late === -1) continue;
      // What is left has to wait for the next commit, and so have the entries that follow.
      const left = value.slice(late);
      atomic.set(linkKeys.visits(short, left[0] ?? 0, crypto.randomUUID()), left);
      break;
    }
    const days = new Map<number, number>();
    for (const [hour, visits] of hours) {
      const day = dayOf(hour * HOUR_MS);
      days.set(day, (days.get(day) ?? 0) + visits);
      if (hour >= since) atomic.sum(linkKeys.visitHour(hour), minus(visits));
    }
    for (const [day, visits] of days) {
      atomic.sum(linkKeys.visitDay(day), minus(visits)).sum(linkKeys.visitDayOf(short, day), minus(visits));
    }
    const count = days.values().reduce((sum, visits) => sum + visits, 0);
    atomic.sum(linkKeys.visitCount(), minus(count)).sum(linkKeys.visitCount(short), minus(count));
    const left = { ...old, count: old.count - count };
    atomic.delete(linkKeys.rank(old.count, short));
    atomic.set(linkKeys.rank(left.count, short), left.last).set(linkKeys.rankOf(short), left);
    await atomic.commit();
  });
  return true;
}

/** Removes the sums of a link without visits and, with the last of them, what else is stored for it. */
async function removeSums(store: Store, short: string): Promise<void> {
  const writer = new BulkWriter(store.kv, (atomic) => durably(store, () => atomic.commit()));
  for await (const { key } of store.kv.list({ prefix: linkKeys.visitDayOf(short) })) await writer.delete(key);
  const { rank, rankOf, visitFold, visitCount, removal } = linkKeys;
  const keys = [rank(0, short), rankOf(short), visitFold(short), visitCount(short), removal(short)];
  for (const key of keys) await writer.delete(key);
  await writer.flush();
}

/** Returns the number that lowers a counter of 64 bits when it is added. */
function minus(count: number): bigint {
  return BigInt.asUintN(64, BigInt(-count));
}
