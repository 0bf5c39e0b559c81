import LiveCount from "@/islands/admin/stats/LiveCount.tsx";
import type { AdminPageData } from "@/lib/admin/admin_page.ts";
import type { StatsData } from "@/lib/admin/stats/stats_page.ts";
import { useAdmin } from "../admin_view.ts";
import { AdminHeading } from "../AdminHeading.tsx";
import { ShortenPanel } from "../links/ShortenPanel.tsx";
import { BadgeSection } from "./BadgeSection.tsx";
import { LinkSection } from "./LinkSection.tsx";
import type { QueryValues } from "../charts/page_query.ts";
import { rangeQuery } from "../charts/RangeControls.tsx";
import { VisitChartSection } from "./VisitChartSection.tsx";
import { Link } from "../../Link.tsx";

/** Renders the statistics of the server: figures, visits over time, links and badges. */
export function StatsPage({ data, refused }: AdminPageData<StatsData>) {
  const { messages, formatter } = useAdmin();
  const text = messages.stats;
  const query: QueryValues = {
    ...rangeQuery(data.chart.range),
    view: data.view === "visited" ? undefined : data.view,
    service: data.service.typed,
  };
  const { urls, visits, today, todayHint, live, paused, lost, pause, resume } = text;
  return (
    <>
      <AdminHeading title={text.title} lede={text.lede} />
      <LiveCount
        path="/admin/stats/live"
        figures={data.figures}
        language={formatter.language}
        messages={{ urls, visits, today, todayHint, live, paused, lost, pause, resume }}
      />
      <VisitChartSection chart={data.chart} query={query} sincePhrase={text.hoursCounted} />
      <ShortenPanel refused={refused} limit={data.limits.url} />
      <LinkSection data={data} query={query} />
      <Exports count={data.limits.exported} />
      <BadgeSection data={data} query={query} />
    </>
  );
}

function Exports({ count }: { count: number }) {
  const { messages, formatter } = useAdmin();
  const text = messages.stats;
  const files = [
    { path: "what=days&format=csv", name: text.exports.daysCsv },
    { path: "what=days&format=json", name: text.exports.daysJson },
    { path: "what=urls&format=csv", name: text.exports.urlsCsv },
    { path: "what=urls&format=json", name: text.exports.urlsJson },
  ];
  return (
    <section aria-labelledby="export-title" class="mb-10">
      <h2 id="export-title">{text.exportTitle}</h2>
      <p class="mt-2 max-w-[60ch] text-soft">{formatter.t(text.exportHint, { count })}</p>
      <ul class="mt-1 flex flex-wrap gap-x-6">
        {files.map(({ path, name }) => (
          <li key={path}>
            <Link
              class="link inline-flex min-h-9 items-center text-small font-medium"
              href={`/admin/stats/export?${path}`}
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
