import { DAY_MS, dayOf } from "@/lib/core/days.ts";
import { readCount } from "@/lib/store/key.ts";
import type { Tx } from "@/lib/store/tx.ts";
import type { ChatApp } from "../app.ts";
import { activityKeys } from "./model.ts";

/** Numbers of people who were active in the current day and week of UTC; weeks begin on Monday. */
export interface ActiveCounts {
  readonly today: number;
  readonly week: number;
}

/** 1970-01-01 was a Thursday. */
const DAYS_BEFORE_FIRST_MONDAY = 4;

/** Counts a person's activity of a day and of its week; `before` is the latest day of theirs that was counted. */
export function countActiveDay(
  tx: Tx,
  realmId: number,
  { before, day }: { before: number | null; day: number },
): void {
  for (const [unit, toPeriod] of PERIODS) {
    const period = toPeriod(day);
    if (before === null || toPeriod(before) < period) {
      tx.sum(activityKeys.activeCount(realmId, unit, period), 1n);
    }
  }
}

/** Reads how many people were active in the current day and week. */
export async function readActiveCounts(
  { store, clock, activity }: ChatApp,
  realmId: number,
): Promise<ActiveCounts> {
  await activity.sweep();
  const today = dayOf(clock.now());
  const [ofDay, ofWeek] = await Promise.all(
    PERIODS.map(([unit, toPeriod]) =>
      readCount(store.kv, activityKeys.activeCount(realmId, unit, toPeriod(today)))
    ),
  );
  return { today: Number(ofDay), week: Number(ofWeek) };
}

/** Number of people who were active in a day or a week. */
export interface ActivePeople {
  /** Start of the day or week in milliseconds since 1970 UTC. */
  readonly time: number;
  readonly count: number;
}

/** Lists the days or weeks with active people that contain the times from `start` to before `end`, in order. */
export async function listActiveCounts(
  { store, activity }: Pick<ChatApp, "store" | "activity">,
  realmId: number,
  { unit, start, end }: { unit: "day" | "week"; start: number; end: number },
): Promise<readonly ActivePeople[]> {
  await activity.sweep();
  const periodOf = (time: number) => unit === "day" ? dayOf(time) : toWeek(dayOf(time));
  const prefix = activityKeys.activeCounts(realmId, unit);
  const range = { start: [...prefix, periodOf(start)], end: [...prefix, periodOf(end - 1) + 1] };
  const rows = store.kv.list<Deno.KvU64>(range, { batchSize: 500 });
  return await Array.fromAsync(rows, ({ key, value }) => {
    const period = Number(key.at(-1));
    const day = unit === "day" ? period : DAYS_BEFORE_FIRST_MONDAY + 7 * period;
    return { time: day * DAY_MS, count: Number(value.value) };
  });
}

const PERIODS = [["day", (day: number) => day], ["week", toWeek]] as const;

function toWeek(day: number): number {
  return Math.floor((day - DAYS_BEFORE_FIRST_MONDAY) / 7);
}
