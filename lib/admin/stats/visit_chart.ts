import type { Kv } from "@/lib/store/kv.ts";
import { DAY_MS, dayOf } from "@/lib/core/days.ts";
import { countVisitHours, listDays, listLinkDays, listVisitHours } from "@/lib/links/stats.ts";
import { linkKeys } from "@/lib/links/store.ts";
import { type ChartRange, type RangeChoices, readChartRange, toChartSpan } from "../charts/chart_range.ts";
import { type TimeChart, toTimeChart } from "../charts/time_chart.ts";

/** Visits over a period. */
export interface VisitChart extends TimeChart {
  readonly range: ChartRange;
  /** Periods and units to choose from. */
  readonly choices: RangeChoices;
  /** Time from which all visits are shown by hour, if it is after the start; otherwise null. */
  readonly since: number | null;
}

const CHOICES: RangeChoices = {
  periods: ["2", "7", "30", "90", "365", "all"],
  units: ["hour", "day", "week", "month"],
};

/** Subject and period of a chart. */
interface VisitChartQuery {
  /** The short URL; null for all of the server. */
  readonly short: string | null;
  readonly query: URLSearchParams;
  readonly now: number;
}

/** Reads the chart of the visits for the period that a query asks for. */
export async function readVisitChart(
  kv: Kv,
  { short, query, now }: VisitChartQuery,
): Promise<VisitChart> {
  const choices = CHOICES;
  const range = readChartRange(query, choices, now);
  const span = toChartSpan(range);
  const before = 2 * span.start - span.end;
  if (span.unit === "hour") {
    const both = { from: before, to: span.end };
    const { hours, since } = short === null
      ? await listVisitHours(kv, both)
      : await countVisitHours(kv, short, both);
    const isCompared = since === null;
    const isCut = since !== null && since > span.start;
    return { range, choices, ...toTimeChart(hours, { ...span, isCompared }), since: isCut ? since : null };
  }
  const period = { from: span.isCompared ? dayOf(before) : -Infinity, to: dayOf(span.end - 1) };
  const days = short === null
    ? await listDays(kv, linkKeys.visitDays, period)
    : await listLinkDays(kv, short, period);
  const sums = days.map(({ day, count }) => ({ time: day * DAY_MS, count }));
  return { range, choices, ...toTimeChart(sums, toChartSpan(range, sums[0]?.time)), since: null };
}
