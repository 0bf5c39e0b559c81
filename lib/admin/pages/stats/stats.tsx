import LiveCount from "@/islands/admin/stats/LiveCount.tsx";
import { Link } from "@/components/Link.tsx";
import { readLiveFigures } from "@/lib/links/stats.ts";
import { QUIET_BUTTON } from "@/lib/ui/class_names.ts";
import type { AdminRequest } from "@/lib/admin/admin_request.ts";
import { adminPage, useTexts } from "@/lib/admin/declare/page.tsx";
import { EXPORTED_LINKS } from "@/lib/admin/stats/stats_export.ts";
import { BadgeSection } from "./badges.tsx";
import { ExportLinks, readVisitChart, VisitChartSection } from "./visit_chart.tsx";

const texts = {
  figures: {
    urls: "Short links",
    visits: "Visits",
    today: "Visits today",
    live: "Live",
    paused: "Paused",
    lost: "Connection lost. The figures may be out of date.",
    pause: "Pause",
    resume: "Resume",
  },
  exportHint:
    "Visits of the chosen period, or of up to {count} short links, most visited first. CSV for spreadsheets, JSON for programs.",
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
      {useTexts(null).t("Most visited links")}
    </Link>
  ),
  view: ({ data }) => {
    const { text, t, formatter } = useTexts(texts);
    return (
      <>
        <LiveCount
          path="/admin/stats/live"
          figures={data.figures}
          language={formatter.language}
          messages={text.figures}
        />
        <VisitChartSection chart={data.chart} others={{ service: data.service }} />
        <section aria-labelledby="export-title" class="mb-10">
          <h2 id="export-title">{t("Export")}</h2>
          <p class="mt-2 max-w-[60ch] text-soft">{t(text.exportHint, { count: EXPORTED_LINKS })}</p>
          <ExportLinks chart={data.chart} />
        </section>
        <BadgeSection
          baseUrl={data.baseUrl}
          counts={data.figures}
          typed={data.service}
          query={data.chart.range.query}
        />
      </>
    );
  },
});
