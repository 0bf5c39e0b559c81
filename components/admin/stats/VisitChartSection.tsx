import { Chart } from "@/components/admin/stats/Chart.tsx";
import type { ChartPlace, VisitChart } from "@/lib/admin/stats/stats_days.ts";
import { createFormatter } from "@/lib/ui/formatter.ts";
import { useAdmin } from "../admin_view.ts";
import { DataTable } from "../DataTable.tsx";
import { pageQuery, type QueryValues } from "./page_query.ts";
import { Link } from "../../Link.tsx";

/** Periods as they appear in addresses. */
const PERIODS = ["7", "30", "90", "all"] as const;
/** Units as they appear in addresses. */
const CHART_UNITS = ["day", "week", "month"] as const;

interface VisitChartSectionProps {
  readonly chart: VisitChart;
  /** The page's query, which includes the period. */
  readonly query: QueryValues;
}

/** Renders visits over time: choice of the period, chart, description and table. */
export function VisitChartSection({ chart, query }: VisitChartSectionProps) {
  const { messages, formatter } = useAdmin();
  const text = messages.stats;
  const dates = useUtcDates();
  const { places, unit, total, before } = chart;
  const description = describe(chart, { text, dates, t: formatter.t });
  return (
    <section aria-labelledby="chart-title" class="mb-10" id="chart">
      <div class="mb-4 flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
        <h2 id="chart-title">{text.chartTitles[unit]}</h2>
        <div class="flex flex-wrap gap-x-8">
          <Units chart={chart} query={query} />
          <Periods chosen={chart.period} query={query} />
        </div>
      </div>
      {before !== null && <Legend />}
      <VisitChartLine chart={chart} description={description} />
      <p class="mt-4 max-w-[70ch] text-small text-soft">
        <strong class="font-strong text-ink">{formatter.t(text.total, { count: total })}</strong>{" "}
        {before !== null && formatter.t(text.before, { count: before })} {total > 0 && description} {text.utc}
      </p>
      <details class="mt-2 text-small">
        <summary class="inline-flex min-h-9 w-fit items-center font-strong">{text.asTable}</summary>
        <div class="max-h-96 overflow-y-auto" tabIndex={0} role="region" aria-label={text.chartTitles[unit]}>
          <PlaceTable places={places} unit={unit} />
        </div>
      </details>
    </section>
  );
}

/** Renders the line, with the readout of each point. */
function VisitChartLine({ chart, description }: { chart: VisitChart; description: string }) {
  const { messages: { stats: text }, formatter } = useAdmin();
  const dates = useUtcDates();
  const { places, unit } = chart;
  const middle = places[Math.floor(places.length / 2)];
  const ends = [
    places[0],
    ...(places.length > 4 ? [middle] : []),
    ...(places.length > 1 ? [places.at(-1)] : []),
  ];
  return (
    <Chart
      id="visits"
      title={text.chartTitles[unit]}
      description={description}
      counts={places.map(({ count }) => count)}
      compared={chart.beforeCounts}
      texts={places.map(({ start, count }, at) => {
        const earlier = chart.beforeCounts[at];
        const point = formatter.t(text.point, { date: dates(start), count });
        return earlier === undefined ? point : `${point} ${formatter.t(text.before, { count: earlier })}`;
      })}
      readoutLabel={text.readout}
      number={formatter.number}
      marks={ends.flatMap((place) => place === undefined ? [] : [dates(place.start)])}
    />
  );
}

/** Renders the meaning of both lines. */
function Legend() {
  const { messages: { stats: text } } = useAdmin();
  return (
    <p aria-hidden="true" class="flex flex-wrap gap-x-5 text-small text-soft">
      <span class="inline-flex items-center gap-2">
        <span class="w-6 border-t-2 border-accent" />
        {text.thisPeriod}
      </span>
      <span class="inline-flex items-center gap-2">
        <span class="w-6 border-t-2 border-dashed border-soft" />
        {text.previousPeriod}
      </span>
    </p>
  );
}

/** Returns a function that formats days in UTC, as they are counted, whatever the viewer's time zone. */
function useUtcDates(): (time: number) => string {
  const { formatter } = useAdmin();
  return createFormatter({ language: formatter.language, timeZone: "UTC" }).date;
}

interface ChartTexts {
  readonly text: ReturnType<typeof useAdmin>["messages"]["stats"];
  readonly dates: (time: number) => string;
  readonly t: ReturnType<typeof useAdmin>["formatter"]["t"];
}

function describe({ places, total }: VisitChart, { text, dates, t }: ChartTexts): string {
  if (total === 0) return text.noVisits;
  const most = places.reduce((one, other) => other.count > one.count ? other : one);
  const least = places.reduce((one, other) => other.count < one.count ? other : one);
  const sentences = [t(text.most, { count: most.count, date: dates(most.start) })];
  if (places.length > 1) sentences.push(t(text.least, { count: least.count, date: dates(least.start) }));
  return sentences.join(" ");
}

function Periods({ chosen, query }: { chosen: VisitChart["period"]; query: QueryValues }) {
  const { messages } = useAdmin();
  const links = PERIODS.map((period) => ({
    name: messages.stats.periods[period],
    path: pageQuery({ ...query, days: period === "30" ? undefined : period }, "chart"),
    isChosen: period === chosen,
    period,
  }));
  return <Choices label={messages.stats.period} links={links} />;
}

function Units({ chart, query }: { chart: VisitChart; query: QueryValues }) {
  const { messages } = useAdmin();
  const links = CHART_UNITS.map((unit) => ({
    name: messages.stats.groupings[unit],
    path: pageQuery({ ...query, by: unit }, "chart"),
    isChosen: unit === chart.unit,
  }));
  return <Choices label={messages.stats.grouping} links={links} />;
}

interface ChoicesProps {
  readonly label: string;
  readonly links: readonly {
    readonly name: string;
    readonly path: string;
    readonly isChosen: boolean;
    readonly period?: string;
  }[];
}

/** Renders links to the same chart with other choices. */
function Choices({ label, links }: ChoicesProps) {
  return (
    <nav aria-label={label}>
      <ul class="flex flex-wrap gap-x-4">
        {links.map(({ name, path, isChosen, period }) => (
          <li key={path}>
            <Link
              href={path}
              data-period={period}
              aria-current={isChosen ? "true" : undefined}
              class="inline-flex min-h-9 items-center text-small text-soft hover:text-ink aria-[current=true]:border-b-2 aria-[current=true]:border-accent aria-[current=true]:font-strong aria-[current=true]:text-ink"
            >
              {name}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function PlaceTable({ places, unit }: { places: readonly ChartPlace[]; unit: VisitChart["unit"] }) {
  const { messages, formatter } = useAdmin();
  const dates = useUtcDates();
  const columns = [{ title: messages.stats.units[unit] }, { title: messages.stats.visits, isAtEnd: true }];
  const rows = places.toReversed().map(({ start, count }) => ({
    id: String(start),
    cells: [dates(start), formatter.number(count)],
  }));
  return <DataTable caption={messages.stats.chartTitles[unit]} columns={columns} rows={rows} />;
}
