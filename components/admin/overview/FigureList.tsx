import type { OverviewFigures, Trend } from "@/lib/admin/overview/overview_data.ts";
import { formatBytes } from "@/lib/ui/format_bytes.ts";
import { useAdmin } from "../admin_view.ts";
import { type ChartWords, describeChart, useUtcDates } from "../charts/chart_words.ts";
import { Sparkline } from "../charts/BarTable.tsx";
import { Link } from "@/components/Link.tsx";

interface ShownFigure {
  readonly name: string;
  readonly value: string;
  readonly note?: string | undefined;
  /** Page with the details. */
  readonly path: string;
  readonly trend: Trend;
  readonly words: Pick<ChartWords, "amount" | "none">;
  readonly isSize?: boolean;
}

/** Renders the figures of the organization with their last 30 days, each linked to its page. */
export function FigureList({ figures }: { figures: OverviewFigures }) {
  const { messages: { overview: text, charts } } = useAdmin();
  const shown = [...useCounts(figures), ...useSizes(figures)];
  // Made once, as it takes a millisecond.
  const dates = useUtcDates({ unit: "day" });
  return (
    <section aria-labelledby="figures-title" class="mb-8">
      <h2 id="figures-title" class="sr-only">{text.figuresTitle}</h2>
      <ul class="flex flex-wrap gap-px overflow-hidden rounded-panel border border-rule bg-rule">
        {shown.map((figure) => <Figure key={figure.name} {...figure} dates={dates} />)}
      </ul>
      <p class="mt-2 text-small text-soft">{text.trendHint} {charts.utc}</p>
    </section>
  );
}

interface FigureProps extends ShownFigure {
  /** Formats the day of a time. */
  readonly dates: (time: number) => string;
}

function Figure({ name, value, note, path, trend, words, isSize = false, dates }: FigureProps) {
  const values = trend.map((day) => day.value);
  return (
    <li class="relative flex min-w-0 flex-[1_1_10rem] flex-col bg-raised p-4 sm:p-5">
      <Link
        class="text-small text-soft no-underline after:absolute after:inset-0 hover:underline"
        href={path}
      >
        {name}
      </Link>
      <p class="font-serif text-[1.9rem] leading-tight tabular-nums">{value}</p>
      <p class="mb-3 min-h-[1.4em] text-small text-soft">{note}</p>
      <div class="mt-auto">
        <Sparkline
          description={useDescription({ trend, words, dates })}
          values={values}
          floor={isSize ? floorOf(values) : 0}
        />
      </div>
    </li>
  );
}

/** Returns the text alternative of a trend: its highest and lowest day. */
function useDescription({ trend, words, dates }: Pick<FigureProps, "trend" | "words" | "dates">): string {
  const { messages: { overview, charts: text }, formatter } = useAdmin();
  const places = trend.flatMap(({ start, value }) => value === null ? [] : [{ start, count: value }]);
  const total = sumOf(trend);
  const all = { ...words, figure: formatter.number };
  return formatter.t(overview.trend, {
    description: describeChart({ places, total }, all, { formatter, text, dates }),
  });
}

function sumOf(trend: Trend): number {
  return trend.reduce((sum, { value }) => sum + (value ?? 0), 0);
}

/** Returns the lower edge of sizes: half of the greatest, so that the line of a large size shows how it grows. */
function floorOf(values: readonly (number | null)[]): number {
  const known = values.filter((value) => value !== null);
  const half = Math.max(0, ...known) / 2;
  return known.every((value) => value >= half) ? half : 0;
}

function useCounts({ active, messages: sent, links }: OverviewFigures): readonly ShownFigure[] {
  const { messages: { overview: { figures: names, notes }, activity, stats }, formatter } = useAdmin();
  const { t, number } = formatter;
  const inPeriod = (trend: Trend) => t(notes.period, { count: sumOf(trend) });
  return [
    ...(active === null ? [] : [{
      name: names.active,
      value: number(active.today),
      note: t(notes.week, { count: active.week }),
      path: "/admin/activity#active",
      trend: active.trend,
      words: { amount: (count: number) => t(activity.active, { count }), none: activity.noActive },
    }]),
    {
      name: names.messages,
      value: number(sent.at(-1)?.value ?? 0),
      note: inPeriod(sent),
      path: "/admin/activity#messages",
      trend: sent,
      words: { amount: (count) => t(activity.messages, { count }), none: activity.noMessages },
    },
    ...(links === null ? [] : [{
      name: names.visits,
      value: number(links.today),
      note: inPeriod(links.trend),
      path: "/admin/stats#chart",
      trend: links.trend,
      words: { amount: (count: number) => t(stats.visitCount, { count }), none: stats.noVisits },
    }]),
  ];
}

function useSizes({ files, store }: OverviewFigures): readonly ShownFigure[] {
  const { messages: { overview: { figures: names, notes, noFiles }, organization }, formatter } = useAdmin();
  const toSize = (bytes: number) => formatBytes(formatter, organization.bytes, bytes);
  const common = { words: { amount: toSize, none: noFiles }, isSize: true };
  return [
    {
      ...common,
      name: names.files,
      value: toSize(files.used),
      note: files.quota === null ? undefined : formatter.t(notes.quota, { size: toSize(files.quota) }),
      path: "/admin/activity#files",
      trend: files.trend,
    },
    ...(store === null ? [] : [{
      ...common,
      name: names.store,
      value: toSize(store.size),
      path: "/admin/organization/status",
      trend: store.trend,
    }]),
  ];
}
