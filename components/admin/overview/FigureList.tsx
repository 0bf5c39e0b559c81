import type { Figure } from "@/lib/admin/overview/overview_data.ts";
import { formatBytes } from "@/lib/ui/format_bytes.ts";
import { useAdmin } from "../admin_view.ts";
import { describeChart, useCountWords, useUtcDates } from "../charts/chart_words.ts";
import { Sparkline } from "../charts/BarTable.tsx";
import { Link } from "@/components/Link.tsx";

/** Pages with the details. */
const PATHS: Readonly<Record<Figure["name"], string>> = {
  active: "/admin/activity#active",
  messages: "/admin/activity#messages",
  visits: "/admin/stats#chart",
  files: "/admin/activity#files",
  store: "/admin/organization/status",
};

/** Renders the figures of the organization with their last 30 days, each linked to its page. */
export function FigureList({ figures }: { figures: readonly Figure[] }) {
  const { messages: { overview: text, charts } } = useAdmin();
  // Made once, as it takes a millisecond.
  const dates = useUtcDates({ unit: "day" });
  return (
    <section aria-labelledby="figures-title" class="mb-8">
      <h2 id="figures-title" class="sr-only">{text.figuresTitle}</h2>
      <ul class="flex flex-wrap gap-px overflow-hidden rounded-panel border border-rule bg-rule">
        {figures.map((figure) => <ShownFigure key={figure.name} figure={figure} dates={dates} />)}
      </ul>
      <p class="mt-2 text-small text-soft">{text.trendHint} {charts.utc}</p>
    </section>
  );
}

interface ShownFigureProps {
  readonly figure: Figure;
  /** Formats the day of a time. */
  readonly dates: (time: number) => string;
}

function ShownFigure({ figure: { name, value, note, trend }, dates }: ShownFigureProps) {
  const { messages: { overview, charts: text }, formatter } = useAdmin();
  const { note: phrase, ...words } = useWords(name);
  const isSize = name === "files" || name === "store";
  const values = trend.map((day) => day.value);
  const places = trend.flatMap(({ start, value }) => value === null ? [] : [{ start, count: value }]);
  const total = places.reduce((sum, { count }) => sum + count, 0);
  const description = describeChart({ places, total }, words, { formatter, text, dates });
  return (
    <li class="relative flex min-w-0 flex-[1_1_10rem] flex-col bg-raised p-4 forced-colors:outline sm:p-5">
      <Link
        class="text-small text-soft no-underline after:absolute after:inset-0 hover:underline"
        href={PATHS[name]}
      >
        {overview.figures[name]}
      </Link>
      <p class="font-serif text-[1.9rem] leading-tight tabular-nums">{words.figure(value)}</p>
      <p class="mb-3 min-h-[1.4em] text-small text-soft">
        {note === null ? undefined : formatter.t(phrase, { count: note, size: words.figure(note) })}
      </p>
      <div class="mt-auto">
        <Sparkline
          description={formatter.t(overview.trend, { description })}
          values={values}
          floor={isSize ? floorOf(values) : 0}
        />
      </div>
    </li>
  );
}

/** Returns the lower edge of sizes: half of the greatest, so that the line of a large size shows how it grows. */
function floorOf(values: readonly (number | null)[]): number {
  const known = values.filter((value) => value !== null);
  const half = Math.max(0, ...known) / 2;
  return known.every((value) => value >= half) ? half : 0;
}

/** Returns the words for the values of a figure, and the text of its note. */
function useWords(name: Figure["name"]) {
  const { messages: { overview: { notes, noFiles }, activity, stats, organization }, formatter } = useAdmin();
  const toSize = (bytes: number) => formatBytes(formatter, organization.bytes, bytes);
  const sizes = { amount: toSize, figure: toSize, none: noFiles, note: notes.quota };
  const words = {
    active: { ...useCountWords(activity.active, activity.noActive), note: notes.week },
    messages: { ...useCountWords(activity.messages, activity.noMessages), note: notes.period },
    visits: { ...useCountWords(stats.visitCount, stats.noVisits), note: notes.period },
    files: sizes,
    store: sizes,
  };
  return words[name];
}
