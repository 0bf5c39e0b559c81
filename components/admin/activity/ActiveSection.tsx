import type { TimeChart } from "@/lib/admin/charts/time_chart.ts";
import { useAdmin } from "../admin_view.ts";
import { ChartSection } from "../charts/ChartSection.tsx";
import type { ChartWords } from "../charts/chart_words.ts";
import { Summary, toTitleUnit } from "./section_parts.tsx";

interface ActiveSectionProps {
  /** Null when the organization does not store presence. */
  readonly active: TimeChart | null;
  readonly csvPath: string;
}

/** Renders the active people of each day or week. */
export function ActiveSection({ active, csvPath }: ActiveSectionProps) {
  const { messages: { activity: text } } = useAdmin();
  if (active !== null) return <ActiveChart chart={active} csvPath={csvPath} />;
  return (
    <section aria-labelledby="active-title" class="mb-12" id="active">
      <h2 id="active-title">{text.activeTitle.day}</h2>
      <p class="mt-2 max-w-[60ch] text-soft">{text.presenceOff}</p>
    </section>
  );
}

/** A person of several days is in several sums, so the summary is about averages rather than totals. */
function ActiveChart({ chart, csvPath }: { chart: TimeChart; csvPath: string }) {
  const { messages: { activity: text }, formatter } = useAdmin();
  const unit = toTitleUnit(chart);
  const words: ChartWords = {
    amount: (count) => formatter.t(text.active, { count }),
    figure: formatter.number,
    none: text.noActive,
  };
  const average = Math.round(chart.total / chart.places.length * 10) / 10;
  const amount = formatter.t(text.activeAverage[unit], { count: average });
  return (
    <ChartSection
      id="active"
      title={text.activeTitle[unit]}
      chart={chart}
      words={words}
      summary={
        <>
          <Summary chart={chart} amount={amount} /> {text.activeHint}
        </>
      }
      column={text.activeColumn}
      advice={text.noActiveAdvice}
      csvPath={csvPath}
    />
  );
}
