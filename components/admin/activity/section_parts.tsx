import type { ChartWithParts } from "@/lib/admin/activity/activity_charts.ts";
import type { TimeChart } from "@/lib/admin/charts/time_chart.ts";
import { useAdmin } from "../admin_view.ts";
import { describeComparison } from "../charts/chart_words.ts";
import type { ChartColumn } from "../charts/ChartSection.tsx";

interface SummaryProps {
  readonly chart: TimeChart;
  /** The figure of the period as text. */
  readonly amount: string;
  readonly isSize?: boolean;
}

/** Renders the figure of a period and its difference to the period before. */
export function Summary({ chart, amount, isSize = false }: SummaryProps) {
  const { messages: { charts: text }, formatter } = useAdmin();
  const { total: now, before, days } = chart;
  return (
    <strong class="font-strong text-ink">
      {describeComparison({ amount, now, before, days, isSize }, { formatter, text })}
    </strong>
  );
}

/** Returns the unit of a chart's title. */
export function toTitleUnit({ unit }: Pick<TimeChart, "unit">): "day" | "week" {
  return unit === "week" ? "week" : "day";
}

/** Returns the columns of the parts of a chart; `titles` are their headings by name. */
export function countsOf(
  parts: ChartWithParts["parts"],
  titles: Readonly<Record<string, string>>,
): readonly ChartColumn[] {
  return parts.map(({ name, chart }) => ({
    title: titles[name] ?? name,
    counts: chart.places.map(({ count }) => count),
  }));
}
