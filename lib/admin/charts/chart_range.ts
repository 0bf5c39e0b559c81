import { DAY_MS, dayOf, parseUtc } from "@/lib/core/days.ts";
import { type ChartSpan, type ChartUnit, HOUR_MS } from "./time_chart.ts";

/** Periods of charts: a number of days up to now, or all days. */
const PERIODS = ["2", "7", "30", "90", "365", "all"] as const;
/** Name of a period; `custom` for chosen days. */
export type Period = typeof PERIODS[number] | "custom";

/** Period of a chart as an address asks for it. */
export interface ChartRange {
  readonly period: Period;
  /** Start in milliseconds since 1970 UTC; null for all days. */
  readonly start: number | null;
  /** End in milliseconds since 1970 UTC, not included. */
  readonly end: number;
  /** Requested unit of the points; null for the usual one of the period. */
  readonly grouping: ChartUnit | null;
  /** Chosen days as they were entered; the first and last day of another period. */
  readonly typed: { readonly from: string; readonly to: string };
  /** Whether the chosen days are refused, so that the usual period is shown. */
  readonly isRefused: boolean;
  /** Maximum number of days that may be chosen. */
  readonly maxDays: number;
}

/** Periods that a page offers, and the units of its charts. */
export interface RangeChoices {
  readonly periods: readonly Exclude<Period, "custom">[];
  readonly units: readonly ChartUnit[];
}

/** Period of an address that names none. */
const USUAL = "30";
/** Maximum number of chosen days: two years. */
const MAX_RANGE_DAYS = 731;
/** Longer spans are shown by week, and the longest by month. */
const MOST_DAYS = 120;
const MOST_WEEKS = 130;
/** Maximum number of days that are shown by hour. */
const MOST_DAYS_BY_HOUR = 2;

/** Reads the period of a chart from the query of an address; anything else means the usual one. */
export function readChartRange(
  query: URLSearchParams,
  { periods, units }: RangeChoices,
  now: number,
): ChartRange {
  const grouping = units.find((unit) => unit === query.get("by")) ?? null;
  const typed = { from: (query.get("from") ?? "").slice(0, 10), to: (query.get("to") ?? "").slice(0, 10) };
  const isTyped = typed.from !== "" || typed.to !== "";
  const chosen = isTyped ? toChosenDays(typed, now) : null;
  const common = { grouping, maxDays: MAX_RANGE_DAYS };
  if (chosen !== null) return { period: "custom", ...chosen, ...common, typed, isRefused: false };
  const period = periods.find((one) => one === query.get("days")) ?? USUAL;
  const bounds = toBounds(period, now);
  return {
    period,
    ...bounds,
    ...common,
    typed: isTyped ? typed : { from: toDate(bounds.start), to: toDate(bounds.end - 1) },
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
    const end = (Math.floor(now / HOUR_MS) + 1) * HOUR_MS;
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

function toDate(time: number | null): string {
  return time === null ? "" : new Date(time).toISOString().slice(0, "2000-01-01".length);
}
