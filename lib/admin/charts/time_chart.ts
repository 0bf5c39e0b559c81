import type { QueryValues } from "../query.ts";
import { DAY_MS, dayOf, HOUR_MS, hourOf, parseUtc, weekStartOf } from "@/lib/core/clock.ts";

/** Unit of a chart's points. */
export type ChartUnit = "hour" | "day" | "week" | "month";

/** A sum of an hour or a day, with its start in milliseconds since 1970 UTC. */
export interface TimeSum {
  readonly time: number;
  readonly count: number;
}

/** Time that a chart shows, in milliseconds since 1970 UTC. */
export interface ChartSpan {
  readonly start: number;
  /** Not included. */
  readonly end: number;
  readonly unit: ChartUnit;
  /** Whether the chart compares with the time of the same length before. */
  readonly isCompared: boolean;
}

/** A point of a chart. */
export interface ChartPoint {
  /** Its start in milliseconds since 1970 UTC. */
  readonly start: number;
  readonly count: number;
}

/** Sums over time, without gaps. */
export interface TimeChart {
  readonly unit: ChartUnit;
  /** Length of the time in days. */
  readonly days: number;
  readonly points: readonly ChartPoint[];
  readonly total: number;
  /** Sum of the time of the same length before; null without comparison. */
  readonly before: number | null;
  /** Sums of that time by point, aligned with the points of the chart; empty without comparison. */
  readonly beforeCounts: readonly number[];
}

/** Arranges sums as a chart; sums outside the span and the one before it are ignored. */
export function toTimeChart(sums: readonly TimeSum[], span: ChartSpan): TimeChart {
  const { start, end, unit, isCompared } = span;
  const length = end - start;
  const points = toPoints(sums, span);
  // Shifted by the length of the span, so that both have the same points.
  const shifted = sums.map(({ time, count }) => ({ time: time + length, count }));
  const beforeCounts = isCompared ? toPoints(shifted, span).map(({ count }) => count) : [];
  return {
    unit,
    days: Math.round(length / DAY_MS),
    points,
    total: sum(points.map(({ count }) => count)),
    before: isCompared ? sum(beforeCounts) : null,
    beforeCounts,
  };
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0);
}

function toPoints(sums: readonly TimeSum[], { start, end, unit }: ChartSpan): ChartPoint[] {
  const counts = new Map<number, number>();
  const step = unit === "hour" ? HOUR_MS : DAY_MS;
  for (let time = start; time < end; time += step) counts.set(startOf(time, unit), 0);
  for (const { time, count } of sums) {
    if (time < start || time >= end) continue;
    const point = startOf(time, unit);
    counts.set(point, (counts.get(point) ?? 0) + count);
  }
  return [...counts].map(([start, count]) => ({ start, count }));
}

/** Returns the start of the unit that contains a time, in milliseconds; weeks begin on Mondays. */
function startOf(time: number, unit: ChartUnit): number {
  if (unit === "hour") return hourOf(time) * HOUR_MS;
  const day = dayOf(time);
  if (unit === "day") return day * DAY_MS;
  if (unit === "week") return weekStartOf(day) * DAY_MS;
  const date = new Date(time);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1);
}

/** Name of a period: a number of days up to now, all days, or `custom` for chosen days. */
type Period = "2" | "7" | "30" | "90" | "365" | "all" | "custom";

/** Period of a chart as an address asks for it, and what else the page offers. */
export interface ChartRange extends RangeChoices {
  readonly period: Period;
  /** Start in milliseconds since 1970 UTC; null for all days. */
  readonly start: number | null;
  /** End in milliseconds since 1970 UTC, not included. */
  readonly end: number;
  /** Requested unit of the points; null for the usual one of the period. */
  readonly grouping: ChartUnit | null;
  /** Chosen days as they were entered; the first and last day of another period. */
  readonly typed: { readonly from: string; readonly to: string };
  /** Query parameters of an address with the period; the usual one has none. */
  readonly query: QueryValues;
  /** Whether the chosen days are refused, so that the usual period is shown. */
  readonly isRefused: boolean;
}

/** Periods that a page offers, and the units of its charts. */
export interface RangeChoices {
  readonly periods: readonly Exclude<Period, "custom">[];
  readonly units: readonly ChartUnit[];
}

/** Period of an address that names none. */
const USUAL = "30";
/** Maximum number of chosen days: two years. */
export const MAX_RANGE_DAYS = 731;
/** Longer spans are shown by week, and the longest by month. */
const MOST_DAYS = 120;
const MOST_WEEKS = 130;
/** Maximum number of days that are shown by hour. */
const MOST_DAYS_BY_HOUR = 2;

/** Reads the period of a chart from the query of an address; anything else means the usual one. */
export function readChartRange(
  query: URLSearchParams,
  choices: RangeChoices,
  now: number,
): ChartRange {
  const { periods, units } = choices;
  const grouping = units.find((unit) => unit === query.get("by")) ?? null;
  const typed = { from: (query.get("from") ?? "").slice(0, 10), to: (query.get("to") ?? "").slice(0, 10) };
  const isTyped = typed.from !== "" || typed.to !== "";
  const chosen = isTyped ? toChosenDays(typed, now) : null;
  const common = { ...choices, grouping };
  if (chosen !== null) {
    const query = { ...typed, by: grouping };
    return { period: "custom", ...chosen, ...common, typed, query, isRefused: false };
  }
  const period = periods.find((one) => one === query.get("days")) ?? USUAL;
  const bounds = toBounds(period, now);
  return {
    period,
    ...bounds,
    ...common,
    query: { days: period === USUAL ? null : period, by: grouping },
    typed: isTyped
      ? typed
      : { from: bounds.start === null ? "" : toDate(bounds.start), to: toDate(bounds.end - 1) },
    isRefused: isTyped,
  };
}

/** Returns the span of a period; `first` is the earliest time with figures, for all days. */
export function toChartSpan({ period, start, end, grouping }: ChartRange, first = end - DAY_MS): ChartSpan {
  const from = start ?? Math.min(end - DAY_MS, dayOf(first) * DAY_MS);
  const days = (end - from) / DAY_MS;
  const isByHour = start !== null && days <= MOST_DAYS_BY_HOUR;
  const usual = period === "2" ? "hour" : usualUnit(days);
  const unit = grouping !== null && (grouping !== "hour" || isByHour) ? grouping : usual;
  const isCompared = start !== null;
  if (unit === "hour") return { start: from, end, unit, isCompared };
  // 48 hours touch three days.
  return { start: dayOf(from) * DAY_MS, end: (dayOf(end - 1) + 1) * DAY_MS, unit, isCompared };
}

function usualUnit(days: number): ChartUnit {
  if (days <= MOST_DAYS) return "day";
  return days <= 7 * MOST_WEEKS ? "week" : "month";
}

function toBounds(period: Exclude<Period, "custom">, now: number) {
  if (period === "2") {
    const end = (hourOf(now) + 1) * HOUR_MS;
    return { start: end - 2 * DAY_MS, end };
  }
  const end = (dayOf(now) + 1) * DAY_MS;
  return { start: period === "all" ? null : end - Number(period) * DAY_MS, end };
}

/** Returns the bounds of chosen days up to today; null unless they are dates in order and not too many. */
function toChosenDays({ from, to }: ChartRange["typed"], now: number): { start: number; end: number } | null {
  const start = parseUtc(from);
  const end = Math.min(parseUtc(to), dayOf(now) * DAY_MS) + DAY_MS;
  const days = (end - start) / DAY_MS;
  return days >= 1 && days <= MAX_RANGE_DAYS ? { start, end } : null;
}

/** Returns the day of a time in UTC as YYYY-MM-DD. */
export function toDate(time: number): string {
  return new Date(time).toISOString().slice(0, "2000-01-01".length);
}
