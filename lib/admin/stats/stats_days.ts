import type { Key } from "@/lib/kv/key.ts";
import { type DayCount, listDays } from "@/lib/links/stats.ts";
import { DAY_MS, dayOf } from "@/lib/core/days.ts";

/** Periods of a chart: a number of days up to today, or all. */
const PERIODS = ["7", "30", "90", "all"] as const;
/** Name of a period. */
export type Period = typeof PERIODS[number];
/** Units of a chart's points. */
export const CHART_UNITS = ["day", "week", "month"] as const;
/** Unit of a chart's points. */
export type ChartUnit = typeof CHART_UNITS[number];

/** A bar of a chart. */
export interface ChartPlace {
  /** Its start in milliseconds since 1970 UTC. */
  readonly start: number;
  readonly count: number;
}

/** Visits over a period, without gaps. */
export interface VisitChart {
  readonly period: Period;
  readonly unit: ChartUnit;
  /** The unit that the URL asks for; null for the usual one of the period. */
  readonly grouping: ChartUnit | null;
  readonly places: readonly ChartPlace[];
  readonly total: number;
  /** Visits of the previous period of the same length; null for all. */
  readonly before: number | null;
  /** Those visits by point, aligned with the points of this period; empty for all. */
  readonly beforeCounts: readonly number[];
}

/** Longer periods are shown by week, and the longest by month. */
const MOST_DAYS = 120;
const MOST_WEEKS = 130;
/** 1970 began on a Thursday; weeks begin on Mondays. */
const MONDAY = 3;

/** Parses the period in a URL; 30 days for anything else. */
export function readPeriod(query: URLSearchParams): Period {
  return PERIODS.find((period) => period === query.get("days")) ?? "30";
}

/** Parses the unit of a chart in a URL; null for anything else. */
export function readGrouping(query: URLSearchParams): ChartUnit | null {
  return CHART_UNITS.find((unit) => unit === query.get("by")) ?? null;
}

/** Reads the chart of the sums by day below `prefix`, up to the day of `now`. */
export async function readChart(
  kv: Deno.Kv,
  prefix: Key,
  { period, grouping, now }: { period: Period; grouping: ChartUnit | null; now: number },
): Promise<VisitChart> {
  const to = dayOf(now);
  if (period === "all") {
    const days = await listDays(kv, prefix, { to });
    const from = Math.min(to, days[0]?.day ?? to);
    const unit = grouping ?? unitOf(to - from + 1);
    const places = toPlaces(days, { from, to, unit });
    return { period, unit, grouping, places, total: sum(days), before: null, beforeCounts: [] };
  }
  const length = Number(period);
  const from = to - length + 1;
  const both = await listDays(kv, prefix, { from: from - length, to });
  const days = both.filter(({ day }) => day >= from);
  const unit = grouping ?? "day";
  const places = toPlaces(days, { from, to, unit });
  const earlier = both.filter(({ day }) => day < from).map(({ day, count }) => ({
    day: day + length,
    count,
  }));
  // Shifted by the length of the period, so that both have the same points.
  const beforeCounts = toPlaces(earlier, { from, to, unit }).map(({ count }) => count);
  return { period, unit, grouping, places, total: sum(days), before: sum(both) - sum(days), beforeCounts };
}

function sum(days: readonly DayCount[]): number {
  return days.reduce((total, { count }) => total + count, 0);
}

function unitOf(days: number): ChartUnit {
  if (days <= MOST_DAYS) return "day";
  return days <= 7 * MOST_WEEKS ? "week" : "month";
}

interface Span {
  readonly from: number;
  readonly to: number;
  readonly unit: ChartUnit;
}

function toPlaces(days: readonly DayCount[], { from, to, unit }: Span): ChartPlace[] {
  const counts = new Map<number, number>();
  for (let day = from; day <= to; day++) counts.set(startOf(day, unit), 0);
  for (const { day, count } of days) {
    const start = startOf(day, unit);
    counts.set(start, (counts.get(start) ?? 0) + count);
  }
  return [...counts].map(([start, count]) => ({ start, count }));
}

/** Returns the start of a day's bar in milliseconds. */
function startOf(day: number, unit: ChartUnit): number {
  if (unit === "day") return day * DAY_MS;
  if (unit === "week") return (day - (((day + MONDAY) % 7) + 7) % 7) * DAY_MS;
  const date = new Date(day * DAY_MS);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1);
}
