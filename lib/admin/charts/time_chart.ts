import { DAY_MS, dayOf, weekStartOf } from "@/lib/core/days.ts";

/** Units of a chart's points. */
const CHART_UNITS = ["hour", "day", "week", "month"] as const;
/** Unit of a chart's points. */
export type ChartUnit = typeof CHART_UNITS[number];

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
export interface ChartPlace {
  /** Its start in milliseconds since 1970 UTC. */
  readonly start: number;
  readonly count: number;
}

/** Sums over time, without gaps. */
export interface TimeChart {
  readonly unit: ChartUnit;
  /** Length of the time in days. */
  readonly days: number;
  readonly places: readonly ChartPlace[];
  readonly total: number;
  /** Sum of the time of the same length before; null without comparison. */
  readonly before: number | null;
  /** Sums of that time by point, aligned with the points of the chart; empty without comparison. */
  readonly beforeCounts: readonly number[];
}

/** Milliseconds in an hour. */
export const HOUR_MS = 3_600_000;

/** Arranges sums as a chart; sums outside the span and the one before it are ignored. */
export function toTimeChart(sums: readonly TimeSum[], span: ChartSpan): TimeChart {
  const { start, end, unit, isCompared } = span;
  const length = end - start;
  const places = toPlaces(sums, span);
  // Shifted by the length of the span, so that both have the same points.
  const shifted = sums.map(({ time, count }) => ({ time: time + length, count }));
  const beforeCounts = isCompared ? toPlaces(shifted, span).map(({ count }) => count) : [];
  return {
    unit,
    days: Math.round(length / DAY_MS),
    places,
    total: sum(places.map(({ count }) => count)),
    before: isCompared ? sum(beforeCounts) : null,
    beforeCounts,
  };
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0);
}

function toPlaces(sums: readonly TimeSum[], { start, end, unit }: ChartSpan): ChartPlace[] {
  const counts = new Map<number, number>();
  const step = unit === "hour" ? HOUR_MS : DAY_MS;
  for (let time = start; time < end; time += step) counts.set(startOf(time, unit), 0);
  for (const { time, count } of sums) {
    if (time < start || time >= end) continue;
    const place = startOf(time, unit);
    counts.set(place, (counts.get(place) ?? 0) + count);
  }
  return [...counts].map(([place, count]) => ({ start: place, count }));
}

/** Returns the start of the unit that contains a time, in milliseconds; weeks begin on Mondays. */
function startOf(time: number, unit: ChartUnit): number {
  if (unit === "hour") return Math.floor(time / HOUR_MS) * HOUR_MS;
  const day = dayOf(time);
  if (unit === "day") return day * DAY_MS;
  if (unit === "week") return weekStartOf(day) * DAY_MS;
  const date = new Date(time);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1);
}
