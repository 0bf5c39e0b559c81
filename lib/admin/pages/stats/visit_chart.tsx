import { ChartSection, FileLink } from "@/lib/admin/charts/ChartSection.tsx";
import { RangeControls } from "@/lib/admin/charts/RangeControls.tsx";
import { BEFORE, NOUNS, TOTAL, useCountLabels, useUtcDates } from "@/lib/admin/charts/chart_labels.ts";
import { type QueryValues, withQuery } from "@/lib/admin/query.ts";
import { DAY_MS, dayOf } from "@/lib/core/clock.ts";
import { countVisitHours, listVisitHours, type Period, readLinkDays, readSums } from "@/lib/links/stats.ts";
import { linkKeys } from "@/lib/links/store.ts";
import type { Kv } from "@/lib/store/kv.ts";
import {
  type ChartRange,
  type RangeChoices,
  readChartRange,
  type TimeChart,
  toChartSpan,
  toTimeChart,
} from "@/lib/admin/charts/time_chart.ts";
import { useTexts } from "@/lib/admin/declare/page.tsx";

const texts = {
  chartTitles: {
    hour: "Visits by hour",
    day: "Visits by day",
    week: "Visits by week",
    month: "Visits by month",
  },
  /** Of the server: sums by hour are younger than the server. Of a link: the stored visits are counted. */
  since: "Visits by hour are counted since {date}.",
  linkSince: "There are very many visits, so only those since {date} are shown by hour.",
};

/** Visits over a period. */
interface VisitChart extends TimeChart {
  /** The short URL; null for all of the server. */
  readonly short: string | null;
  readonly range: ChartRange;
  /** Time from which all visits are shown by hour, if it is after the start; otherwise null. */
  readonly since: number | null;
}

/** Periods of the visits, and units of their charts. */
export const VISIT_CHOICES: RangeChoices = {
  periods: ["2", "7", "30", "90", "365", "all"],
  units: ["hour", "day", "week", "month"],
};

/** Subject and period of a chart. */
interface VisitChartQuery extends Pick<VisitChart, "short"> {
  readonly query: URLSearchParams;
  readonly now: number;
}

/** Reads the chart of the visits for the period that a query asks for. */
export async function readVisitChart(
  kv: Kv,
  { short, query, now }: VisitChartQuery,
): Promise<VisitChart> {
  const range = readChartRange(query, VISIT_CHOICES, now);
  const span = toChartSpan(range);
  const before = 2 * span.start - span.end;
  if (span.unit === "hour") {
    const { hours, since } = await readVisitHours(kv, short, { from: before, to: span.end });
    const isCompared = since === null;
    const isCut = since !== null && since > span.start;
    return { short, range, ...toTimeChart(hours, { ...span, isCompared }), since: isCut ? since : null };
  }
  const period = { from: span.isCompared ? dayOf(before) : -Infinity, to: dayOf(span.end - 1) + 1 };
  const days = await readVisitDays(kv, short, period);
  const sums = Array.from(days, ([day, count]) => ({ time: day * DAY_MS, count }));
  return { short, range, ...toTimeChart(sums, toChartSpan(range, sums[0]?.time)), since: null };
}

/** Reads the visits of a short URL by day, in order; of all short URLs for null. */
export async function readVisitDays(
  kv: Kv,
  short: string | null,
  period: Period,
): Promise<Map<number, number>> {
  return short === null
    ? await readSums(kv, linkKeys.visitDay(), period)
    : await readLinkDays(kv, short, period);
}

/** Reads the visits of a short URL by hour, as `countVisitHours`; of all short URLs for null, as `listVisitHours`. */
export async function readVisitHours(kv: Kv, short: string | null, period: Period, maxEntries?: number) {
  return short === null
    ? await listVisitHours(kv, period)
    : await countVisitHours(kv, short, period, maxEntries);
}

interface VisitChartSectionProps {
  readonly chart: VisitChart;
  /** Other parameters of the page's query. */
  readonly others?: QueryValues;
}

/** Renders visits over time: choice of the period, chart, description, table and, for one link, files. */
export function VisitChartSection({ chart, others = {} }: VisitChartSectionProps) {
  const { text, t } = useTexts(texts);
  const { short, range, unit, total, before, since } = chart;
  const isOfLink = short !== null;
  const dates = useUtcDates(chart);
  const labels = useCountLabels(NOUNS.visits);
  const summary = (
    <>
      <strong class="font-strong text-ink">
        {t(TOTAL, { amount: labels.amount(total) })}
      </strong>{" "}
      {before !== null && t(BEFORE, { amount: labels.amount(before) })}
      {since !== null && t(isOfLink ? text.linkSince : text.since, { date: dates(since) })}
    </>
  );
  return (
    <ChartSection
      id="chart"
      title={text.chartTitles[unit]}
      chart={chart}
      labels={labels}
      summary={summary}
      column={t("Visits")}
      controls={
        // The page of a link also shows times in the user's time zone.
        <RangeControls range={range} unit={unit} others={others} part="chart" hasLocalTimes={isOfLink} />
      }
    >
      {isOfLink && <ExportLinks chart={chart} />}
    </ChartSection>
  );
}

const FILES = { days: "Visits by day", hours: "Visits by hour", urls: "Short links" } as const;

/** Renders links to files of the chosen period: its visits by hour or day and, of the server, the visited links. */
export function ExportLinks({ chart: { short, range: { query, period }, unit } }: { chart: VisitChart }) {
  const { t } = useTexts(null);
  const visits = unit === "hour" ? "hours" : "days";
  const files = short === null ? [visits, "urls"] as const : [visits] as const;
  const chosen = { ...query, days: period === "custom" ? null : period, short };
  return (
    <ul class="mt-1 flex flex-wrap gap-x-6">
      {files.flatMap((what) =>
        ["csv", "json"].map((format) => (
          <li key={`${what} ${format}`}>
            <FileLink path={withQuery("/admin/stats/export", { what, format, ...chosen })}>
              {t("{name} ({format})", { name: t(FILES[what]), format: format.toUpperCase() })}
            </FileLink>
          </li>
        ))
      )}
    </ul>
  );
}
