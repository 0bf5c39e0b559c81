import type { TimeChart } from "./time_chart.ts";
import type { ComponentChildren } from "preact";
import { useAdmin } from "@/components/admin/admin_view.ts";
import { EmptyState } from "@/components/admin/EmptyState.tsx";
import { Link } from "@/components/Link.tsx";
import { Chart } from "./Chart.tsx";
import { type ChartLabels, describeChart, describeComparison, useUtcDates } from "./chart_labels.ts";

const UNITS = { hour: "Hour", day: "Day", week: "Week starting", month: "Month starting" };

export interface ChartSectionProps {
  /** Unique on the page. */
  readonly id: string;
  readonly title: string;
  readonly chart: TimeChart;
  readonly labels: ChartLabels;
  /** Total and comparison in words; the comparison of `amount` by default. */
  readonly summary?: ComponentChildren;
  /** Figure of the period in words; the total by default. */
  readonly amount?: string;
  /** Explanation of the counts. */
  readonly hint?: string;
  /** Heading of the counts in the table. */
  readonly column: string;
  /** Further figures of each point, for the table. */
  readonly columns?: readonly { readonly title: string; readonly counts: readonly number[] }[];
  /** Choices beside or below the title. */
  readonly controls?: ComponentChildren;
  /** Advice in place of a chart without any count; without it, the empty chart is shown. */
  readonly advice?: ComponentChildren;
  readonly csvPath?: string;
  readonly children?: ComponentChildren;
}

/** Renders counts over time: choices, chart, description and table. */
export function ChartSection(props: ChartSectionProps) {
  const { id, title, chart, labels, advice, controls, children } = props;
  const isEmpty = chart.total === 0 && (chart.before ?? 0) === 0;
  return (
    <section aria-labelledby={`${id}-title`} class="mb-12" id={id}>
      <div class="mb-2 flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
        <h2 id={`${id}-title`}>{title}</h2>
        {controls}
      </div>
      {isEmpty && advice !== undefined
        ? <EmptyState title={labels.none}>{advice}</EmptyState>
        : <ShownChart {...props} />}
      {children}
    </section>
  );
}

function ShownChart(props: ChartSectionProps) {
  const { id, title, chart, labels, amount = labels.amount(chart.total), hint = "", csvPath } = props;
  const { t } = useAdmin();
  const description = describeChart(chart, labels, { t, dates: useUtcDates(chart) });
  const comparison = describeComparison({ amount, chart, isSize: labels.scale !== undefined }, t);
  return (
    <>
      {chart.before !== null && <Legend />}
      <Chart id={`${id}-line`} {...{ title, chart, labels, description }} />
      <p class="mt-4 max-w-[70ch] text-small text-soft">
        {props.summary ?? <strong class="font-strong text-ink">{comparison}</strong>} {hint}{" "}
        {chart.total > 0 && description}
      </p>
      <div class="mt-2 flex flex-wrap items-start gap-x-6">
        <details class="min-w-0 text-small open:w-full">
          <summary class="link inline-flex min-h-9 w-fit items-center font-medium">
            {t("View as table")}
            <span class="sr-only">: {title}</span>
          </summary>
          <div class="max-h-96 overflow-auto" tabIndex={0} role="region" aria-label={title}>
            <PointTable {...props} />
          </div>
        </details>
        {csvPath !== undefined && <CsvLink path={csvPath} about={title} />}
      </div>
    </>
  );
}

/** Renders a link to the figures as a file. */
export function CsvLink({ path, about }: { path: string; about: string }) {
  const { t } = useAdmin();
  return (
    <FileLink path={path}>
      {t("Download CSV")}
      <span class="sr-only">: {about}</span>
    </FileLink>
  );
}

/** Renders a link that downloads a file. */
export function FileLink({ path, children }: { path: string; children: ComponentChildren }) {
  return (
    <Link class="link inline-flex min-h-9 items-center text-small font-medium" href={path} download>
      {children}
    </Link>
  );
}

/** Renders the meaning of both lines. */
function Legend() {
  const { t } = useAdmin();
  return (
    <p aria-hidden="true" class="flex flex-wrap gap-x-5 text-small text-soft">
      <span class="inline-flex items-center gap-2">
        <span class="w-6 border-t-2 border-accent" />
        {t("This period")}
      </span>
      <span class="inline-flex items-center gap-2">
        <span class="w-6 border-t-2 border-dashed border-soft" />
        {t("Previous period")}
      </span>
    </p>
  );
}

/** Renders the figures of all points, newest first; cells have no classes of their own, as there may be thousands. */
function PointTable({ title, chart, labels, column, columns = [] }: ChartSectionProps) {
  const { t } = useAdmin();
  const dates = useUtcDates(chart);
  const titles = [...columns.map((one) => one.title), column];
  const rows = chart.points.map(({ start, count }, at) => (
    <tr key={start} data-id={start}>
      <th scope="row">{dates(start)}</th>
      {columns.map(({ title, counts }) => <td key={title}>{labels.figure(counts[at] ?? 0)}</td>)}
      <td>{labels.figure(count)}</td>
    </tr>
  ));
  return (
    <table class="w-full border-collapse text-end tabular-nums [&_td]:px-3 [&_td]:py-2 [&_td]:last:pe-0 [&_th]:px-3 [&_th]:py-2 [&_th]:font-normal [&_th]:first:ps-0 [&_th]:first:text-start [&_th]:first:whitespace-nowrap [&_th]:last:pe-0 [&_tr]:border-b [&_tr]:border-rule">
      <caption class="sr-only">{title}</caption>
      <thead class="text-soft">
        <tr>
          {[t(UNITS[chart.unit]), ...titles].map((one) => <th key={one} scope="col">{one}</th>)}
        </tr>
      </thead>
      <tbody>{rows.toReversed()}</tbody>
    </table>
  );
}
