import type { VisitChart } from "@/lib/admin/stats/visit_chart.ts";
import { useAdmin } from "../admin_view.ts";
import { ChartSection } from "../charts/ChartSection.tsx";
import { type ChartWords, useUtcDates } from "../charts/chart_words.ts";
import type { QueryValues } from "../charts/page_query.ts";
import { RangeControls } from "../charts/RangeControls.tsx";

interface VisitChartSectionProps {
  readonly chart: VisitChart;
  /** The page's query, which includes the period. */
  readonly query: QueryValues;
  /** Says since when visits are shown by hour, if not for the whole period. */
  readonly sincePhrase: string;
}

/** Renders visits over time: choice of the period, chart, description and table. */
export function VisitChartSection({ chart, query, sincePhrase }: VisitChartSectionProps) {
  const { messages: { stats: text, charts }, formatter } = useAdmin();
  const { range, choices, unit, total, before, since } = chart;
  const dates = useUtcDates(chart);
  const words: ChartWords = {
    amount: (count) => formatter.t(text.visitCount, { count }),
    figure: formatter.number,
    none: text.noVisits,
  };
  const summary = (
    <>
      <strong class="font-strong text-ink">
        {formatter.t(charts.total, { amount: words.amount(total) })}
      </strong>{" "}
      {before !== null && formatter.t(charts.before, { amount: words.amount(before) })}
      {since !== null && formatter.t(sincePhrase, { date: dates(since) })}
    </>
  );
  return (
    <ChartSection
      id="chart"
      title={text.chartTitles[unit]}
      chart={chart}
      words={words}
      summary={summary}
      column={text.visits}
      controls={
        <RangeControls
          range={range}
          unit={unit}
          periods={choices.periods}
          units={choices.units}
          query={query}
          part="chart"
        />
      }
    />
  );
}
