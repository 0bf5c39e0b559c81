import type { Figure } from "./overview_data.ts";
import { formatBytes } from "@/lib/ui/format_bytes.ts";
import { useAdmin } from "@/components/admin/admin_view.ts";
import { describeChart, useCountLabels, useUtcDates } from "../charts/chart_labels.ts";
import { Sparkline } from "../charts/BarTable.tsx";
import { Link } from "@/components/Link.tsx";

/** Renders the figures of the organization with their last 30 days, each linked to its page. */
export function FigureList({ figures }: { figures: readonly Figure[] }) {
  const { t } = useAdmin();
  // Made once, as it takes a millisecond.
  const dates = useUtcDates({ unit: "day" });
  return (
    <section aria-labelledby="figures-title" class="mb-8">
      <h2 id="figures-title" class="sr-only">{t("Figures")}</h2>
      <ul class="flex flex-wrap gap-px overflow-hidden rounded-panel border border-rule bg-rule">
        {figures.map((figure) => <ShownFigure key={figure.path} figure={figure} dates={dates} />)}
      </ul>
      <p class="mt-2 text-small text-soft">
        {t("The lines show the last 30 days.")} {t("Days begin at 00:00 UTC.")}
      </p>
    </section>
  );
}

interface ShownFigureProps {
  readonly figure: Figure;
  /** Formats the day of a time. */
  readonly dates: (time: number) => string;
}

function ShownFigure({ figure: { title, path, value, noun, note, trend }, dates }: ShownFigureProps) {
  const { messages: { organization }, t, formatter } = useAdmin();
  const toSize = (bytes: number) => formatBytes(formatter, organization.bytes, bytes);
  const labels = noun === null
    ? { amount: toSize, figure: toSize, none: t("No files.") }
    : useCountLabels(noun);
  const values = trend.map((day) => day.value);
  const points = trend.flatMap(({ start, value }) => value === null ? [] : [{ start, count: value }]);
  const total = points.reduce((sum, { count }) => sum + count, 0);
  const description = describeChart({ points, total }, labels, { t, dates });
  return (
    <li class="relative flex min-w-0 flex-[1_1_10rem] flex-col bg-raised p-4 forced-colors:outline sm:p-5">
      <Link
        class="text-small text-soft no-underline after:absolute after:inset-0 hover:underline"
        href={path}
      >
        {title}
      </Link>
      <p class="font-serif text-[1.9rem] leading-tight tabular-nums">{labels.figure(value)}</p>
      <p class="mb-3 min-h-[1.4em] text-small text-soft">{note}</p>
      <div class="mt-auto">
        <Sparkline
          description={t("Last 30 days. {description}", { description })}
          values={values}
          floor={noun === null ? floorOf(values) : 0}
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
