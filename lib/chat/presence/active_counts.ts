import { readCount } from "@/lib/kv/key.ts";
import type { Tx } from "@/lib/kv/tx.ts";
import type { ChatApp } from "../app.ts";
import { presenceKeys, type PresenceTimes } from "./model.ts";

/** Numbers of people who were active in the current day and week of UTC; weeks begin on Monday. */
export interface ActiveCounts {
  readonly today: number;
  readonly week: number;
}

const DAY_MS = 24 * 60 * 60 * 1000;
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

const PERIODS = [["day", toDay], ["week", toWeek]] as const;

function toDay(time: number): number {
  return Math.floor(time / DAY_MS);
}

function toWeek(time: number): number {
  return Math.floor((toDay(time) - DAYS_BEFORE_FIRST_MONDAY) / 7);
}
