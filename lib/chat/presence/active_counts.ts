import { DAY_MS, dayOf } from "@/lib/core/days.ts";
import { readCount } from "@/lib/kv/key.ts";
import type { Tx } from "@/lib/kv/tx.ts";
import type { ChatApp } from "../app.ts";
import { presenceKeys, type PresenceTimes } from "./model.ts";

/** Numbers of people who were active in the current day and week of UTC; weeks begin on Monday. */
export interface ActiveCounts {
  readonly today: number;
  readonly week: number;
}

/** 1970-01-01 was a Thursday. */
const DAYS_BEFORE_FIRST_MONDAY = 4;

/** Counts a user's first activity of a day and of a week, in the transaction that stores the activity. */
export function countActivity(
  tx: Tx,
  realmId: number,
  { before, after }: { before: PresenceTimes | null; after: PresenceTimes },
): void {
  if (after.last_active === null) return;
  const last = before?.last_active ?? null;
  for (const [unit, toPeriod] of PERIODS) {
    const period = toPeriod(after.last_active);
    if (last === null || toPeriod(last) < period) tx.sum(presenceKeys.activeCount(realmId, unit, period), 1n);
  }
}

/** Reads how many people were active in the current day and week. */
export async function readActiveCounts({ store, clock }: ChatApp, realmId: number): Promise<ActiveCounts> {
  const now = clock.now();
  const [today, week] = await Promise.all(
    PERIODS.map(([unit, toPeriod]) =>
      readCount(store.kv, presenceKeys.activeCount(realmId, unit, toPeriod(now)))
    ),
  );
  return { today: Number(today), week: Number(week) };
}

/** Number of people who were active in a day or a week. */
export interface ActivePeople {
  /** Start of the day or week in milliseconds since 1970 UTC. */
  readonly time: number;
  readonly count: number;
}

/** Lists the days or weeks with active people that contain the times from `start` to before `end`, in order. */
export async function listActiveCounts(
  { store }: Pick<ChatApp, "store">,
  realmId: number,
  { unit, start, end }: { unit: "day" | "week"; start: number; end: number },
): Promise<readonly ActivePeople[]> {
  const toPeriod = unit === "day" ? dayOf : toWeek;
  const prefix = presenceKeys.activeCounts(realmId, unit);
  const range = { start: [...prefix, toPeriod(start)], end: [...prefix, toPeriod(end - 1) + 1] };
  const rows = store.kv.list<Deno.KvU64>(range, { batchSize: 500 });
  return await Array.fromAsync(rows, ({ key, value }) => {
    const period = Number(key.at(-1));
    const day = unit === "day" ? period : DAYS_BEFORE_FIRST_MONDAY + 7 * period;
    return { time: day * DAY_MS, count: Number(value.value) };
  });
}

const PERIODS = [["day", dayOf], ["week", toWeek]] as const;

function toWeek(time: number): number {
  return Math.floor((dayOf(time) - DAYS_BEFORE_FIRST_MONDAY) / 7);
}
