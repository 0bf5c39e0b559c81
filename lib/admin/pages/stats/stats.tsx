import LiveCount from "@/islands/admin/stats/LiveCount.tsx";
import { Link } from "@/components/Link.tsx";
import { rangeQuery } from "@/components/admin/charts/RangeControls.tsx";
import { type QueryValues, toQuery } from "@/components/admin/charts/BarTable.tsx";
import { readLiveFigures } from "@/lib/links/stats.ts";
import { QUIET_BUTTON } from "@/lib/ui/class_names.ts";
import type { AdminRequest } from "@/lib/admin/admin_request.ts";
import type { ChartRange } from "@/lib/admin/charts/time_chart.ts";
import { adminPage, useTexts } from "@/lib/admin/declare/page.tsx";
import { EXPORTED_LINKS } from "@/lib/admin/stats/stats_export.ts";
import { BadgeSection } from "./badges.tsx";
import { readVisitChart, VisitChartSection } from "./visit_chart.tsx";

const texts = {
  figures: {
    urls: "Short links",
    visits: "Visits",
    today: "Visits today",
    todayHint: "since 00:00 UTC",
    live: "Live",
    paused: "Paused",
    lost: "Connection lost. The figures may be out of date.",
    pause: "Pause",
    resume: "Resume",
  },
  hoursCounted: "Visits by hour are counted since {date}.",
  mostVisited: "Most visited links",
  exportTitle: "Export",
  exportHint:
    "Visits of the chosen period by day, or of up to {count} short links, most visited first. CSV for spreadsheets, JSON for programs.",
  exports: {
    "what=days&format=csv": "Days (CSV)",
    "what=days&format=json": "Days (JSON)",
    "what=urls&format=csv": "Short links (CSV)",
    "what=urls&format=json": "Short links (JSON)",
  },
};

async function loadStats({ services, query }: AdminRequest) {
  const { config, clock, store: { kv } } = services;
  const [figures, chart] = await Promise.all([
    readLiveFigures(kv, clock.now()),
    readVisitChart(kv, { short: null, query, now: clock.now() }),
  ]);
  return {
    figures,
    chart,
    /** Address of the badge service, as it was typed. */
    service: (query.get("service") ?? "").slice(0, 500),
    baseUrl: config.baseUrl,
  };
}

/** The statistics of the server: figures, visits over time, exports and badges. */
export const statsPage = adminPage({
  path: "/admin/stats",
  find: { words: "analytics visits clicks badges" },
  load: loadStats,
  title: "Statistics",
  lede: "Short links of this server and their visits. Only the time of each visit is stored.",
  actions: () => (
    <Link class={`${QUIET_BUTTON} no-underline`} href="/admin/links?order=visits#list">
      {useTexts(texts).text.mostVisited}
    </Link>
  ),
  view: ({ data }) => {
    const { text, formatter } = useTexts(texts);
    const query: QueryValues = { ...rangeQuery(data.chart.range), service: data.service };
    return (
      <>
        <LiveCount
          path="/admin/stats/live"
          figures={data.figures}
          language={formatter.language}
          messages={text.figures}
        />
        <VisitChartSection chart={data.chart} query={query} sincePhrase={text.hoursCounted} />
        <Exports range={data.chart.range} />
        <BadgeSection baseUrl={data.baseUrl} counts={data.figures} query={query} />
      </>
    );
  },
});

function Exports({ range }: { range: ChartRange }) {
  const { text, t } = useTexts(texts);
  const period = toQuery({ days: range.period, ...rangeQuery(range), by: undefined });
  return (
    <section aria-labelledby="export-title" class="mb-10">
      <h2 id="export-title">{text.exportTitle}</h2>
      <p class="mt-2 max-w-[60ch] text-soft">{t(text.exportHint, { count: EXPORTED_LINKS })}</p>
      <ul class="mt-1 flex flex-wrap gap-x-6">
        {Object.entries(text.exports).map(([file, name]) => (
          <li key={file}>
            <Link
              class="link inline-flex min-h-9 items-center text-small font-medium"
              href={`/admin/stats/export?${file}&${period}`}
              download
            >
              {name}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
