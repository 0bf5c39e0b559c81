import { DAY_MS, dayOf } from "@/lib/core/days.ts";
import type { Key } from "@/lib/kv/key.ts";
import { listDays } from "@/lib/links/stats.ts";
import { type ChartRange, type RangeChoices, readChartRange, toChartSpan } from "../charts/chart_range.ts";
import { type TimeChart, toTimeChart } from "../charts/time_chart.ts";

/** Visits over a period. */
export interface VisitChart extends TimeChart {
  readonly range: ChartRange;
}

const CHOICES: RangeChoices = {
  periods: ["7", "30", "90", "365", "all"],
  units: ["day", "week", "month"],
};

/** Reads the chart of the sums by day below `prefix` for the period that a query asks for. */
export async function readVisitChart(
  kv: Deno.Kv,
  prefix: Key,
  { query, now }: { query: URLSearchParams; now: number },
): Promise<VisitChart> {
  const range = readChartRange(query, CHOICES, now);
  const to = dayOf(range.end - 1);
  const from = range.start === null ? -Infinity : dayOf(2 * range.start - range.end);
  const days = await listDays(kv, prefix, { from, to });
  const sums = days.map(({ day, count }) => ({ time: day * DAY_MS, count }));
  return { range, ...toTimeChart(sums, toChartSpan(range, sums[0]?.time)) };
}
