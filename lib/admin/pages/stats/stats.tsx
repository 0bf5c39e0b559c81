import LiveCount from "@/islands/admin/stats/LiveCount.tsx";
import { BreakableText } from "@/components/BreakableText.tsx";
import { Link } from "@/components/Link.tsx";
import { DataTable } from "@/components/admin/DataTable.tsx";
import { EmptyState } from "@/components/admin/EmptyState.tsx";
import { Choices } from "@/components/admin/charts/Choices.tsx";
import { rangeQuery } from "@/components/admin/charts/RangeControls.tsx";
import { pageQuery, type QueryValues } from "@/components/admin/charts/page_query.ts";
import { shortenForm, ShortenPanel } from "../links/shorten.tsx";
import { BadgeSection, listBadges, readService } from "./badges.tsx";
import { readVisitChart, VisitChartSection } from "./visit_chart.tsx";
import { readLiveFigures } from "@/lib/links/live_counts.ts";
import { MAX_URL_LENGTH } from "@/lib/links/params.ts";
import { type FoundLink, listLinks } from "@/lib/links/search/find_links.ts";
import { cutMiddle } from "@/lib/ui/cut_middle.ts";
import { toVisible } from "@/lib/ui/short_link.ts";
import type { AdminRequest } from "../../admin_request.ts";
import { adminPage } from "../../declare/page.tsx";
import { useTexts } from "../../declare/texts.ts";
import { EXPORTED_LINKS } from "../../stats/stats_export.ts";

const texts = {
  lede: "Short links of this server and their visits. Only the time of each visit is stored.",
  urls: "Short links",
  visits: "Visits",
  today: "Visits today",
  todayHint: "since 00:00 UTC",
  live: "Live",
  paused: "Paused",
  lost: "Connection lost. The figures may be out of date.",
  pause: "Pause",
  resume: "Resume",
  hoursCounted: "Visits by hour are counted since {date}.",
  longUrl: "Long URL",
  listTitle: "Short links",
  views: { visited: "Most visited", newest: "Newest" },
  view: "Order",
  lastVisit: "Last visit",
  created: "Created",
  never: "none yet",
  emptyVisited: "No short link has been visited yet.",
  emptyVisitedAdvice: "Visited links appear here. All links are listed under “Newest”.",
  emptyNewest: "There are no short links yet.",
  emptyNewestAdvice: "Create the first one above.",
  manage: "Search and manage short links",
  pages: "Pages",
  behind:
    "Recent visits are still being processed. The totals already include them. Reload the page in a moment.",
  exportTitle: "Export",
  exportHint:
    "Visits by day, or up to {count} short links with their visits. CSV for spreadsheets, JSON for programs.",
  exports: {
    daysCsv: "Days (CSV)",
    daysJson: "Days (JSON)",
    urlsCsv: "Short links (CSV)",
    urlsJson: "Short links (JSON)",
  },
};

/**
 * Time in milliseconds for applying the log of visits before the page is rendered, so that the order of the list
 * includes recent ones.
 */
const CATCH_UP_MS = 30;
const PAGE_LINKS = 25;

type StatsData = Awaited<ReturnType<typeof loadStats>>;

/** Views of the list of links. */
const VIEWS = ["visited", "newest"] as const;

/** Returns the path of a short URL's page. */
function linkPath(short: string): string {
  return `/admin/stats/${encodeURIComponent(short)}`;
}

async function loadStats({ services, query }: AdminRequest) {
  const { links, config, clock, store: { kv } } = services;
  const isWhole = await links.compactor.catchUp(CATCH_UP_MS);
  const view: typeof VIEWS[number] = query.get("view") === "newest" ? "newest" : "visited";
  const cursor = query.get("cursor");
  const typed = (query.get("service") ?? "").slice(0, 500);
  const order = view === "newest" ? "newest" : "visits";
  const [figures, chart, list] = await Promise.all([
    readLiveFigures({ kv, clock }),
    readVisitChart(kv, { short: null, query, now: clock.now() }),
    listLinks(links, { order, cursor, limit: PAGE_LINKS }),
  ]);
  const service = readService(typed);
  return {
    figures,
    chart,
    view,
    list,
    isFirst: cursor === null,
    isBehind: !isWhole,
    badges: listBadges(config.baseUrl, figures, service),
    service: { typed, isWrong: typed.trim() !== "" && service === null },
    baseUrl: config.baseUrl,
    limits: { url: MAX_URL_LENGTH, exported: EXPORTED_LINKS },
  };
}

/** The statistics of the server: figures, visits over time, links and badges. */
export const statsPage = adminPage({
  path: "/admin/stats",
  load: loadStats,
  title: "Statistics",
  lede: texts.lede,
  forms: [shortenForm(linkPath)],
  view: ({ data }) => {
    const { text, formatter } = useTexts(texts);
    const query: QueryValues = {
      ...rangeQuery(data.chart.range),
      view: data.view === "visited" ? undefined : data.view,
      service: data.service.typed,
    };
    const { urls, visits, today, todayHint, live, paused, lost, pause, resume } = text;
    return (
      <>
        <LiveCount
          path="/admin/stats/live"
          figures={data.figures}
          language={formatter.language}
          messages={{ urls, visits, today, todayHint, live, paused, lost, pause, resume }}
        />
        <VisitChartSection chart={data.chart} query={query} sincePhrase={text.hoursCounted} />
        <ShortenPanel limit={data.limits.url} />
        <LinkSection data={data} query={query} />
        <Exports count={data.limits.exported} />
        <BadgeSection data={data} query={query} />
      </>
    );
  },
});

function Exports({ count }: { count: number }) {
  const { text, t } = useTexts(texts);
  const files = [
    { path: "what=days&format=csv", name: text.exports.daysCsv },
    { path: "what=days&format=json", name: text.exports.daysJson },
    { path: "what=urls&format=csv", name: text.exports.urlsCsv },
    { path: "what=urls&format=json", name: text.exports.urlsJson },
  ];
  return (
    <section aria-labelledby="export-title" class="mb-10">
      <h2 id="export-title">{text.exportTitle}</h2>
      <p class="mt-2 max-w-[60ch] text-soft">{t(text.exportHint, { count })}</p>
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

const SHOWN_CHARACTERS = 64;

interface LinkSectionProps {
  readonly data: StatsData;
  readonly query: QueryValues;
}

/** Renders the server's links, most visited or newest first. */
function LinkSection({ data, query }: LinkSectionProps) {
  const { text } = useTexts(texts);
  const { list } = data;
  return (
    <section aria-labelledby="links-title" class="mb-10" id="links">
      <div class="mb-3 flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
        <h2 id="links-title">{text.listTitle}</h2>
        <Views chosen={data.view} query={query} />
      </div>
      <p class="mb-3 text-small">
        <Link class="link inline-flex min-h-9 items-center" href="/admin/links">{text.manage}</Link>
      </p>
      {data.isBehind && <p class="mb-3 max-w-[64ch] text-small text-soft">{text.behind}</p>}
      {list.links.length > 0 && <LinkTable links={list.links} />}
      {list.links.length === 0 && <Empty view={data.view} />}
      <Pages data={data} query={query} />
    </section>
  );
}

function Views({ chosen, query }: { chosen: StatsData["view"]; query: QueryValues }) {
  const { text } = useTexts(texts);
  const links = VIEWS.map((view) => ({
    name: text.views[view],
    path: pageQuery({ ...query, view: view === "visited" ? undefined : view }, "links"),
    isChosen: view === chosen,
  }));
  return <Choices label={text.view} links={links} />;
}

function Empty({ view }: { view: StatsData["view"] }) {
  const { text } = useTexts(texts);
  return view === "visited"
    ? <EmptyState title={text.emptyVisited}>{text.emptyVisitedAdvice}</EmptyState>
    : <EmptyState title={text.emptyNewest}>{text.emptyNewestAdvice}</EmptyState>;
}

function LinkTable({ links }: { links: readonly FoundLink[] }) {
  const { text, formatter } = useTexts(texts);
  const columns = [
    { title: text.longUrl },
    { title: text.visits, isAtEnd: true },
    { title: text.lastVisit, isAtEnd: true },
    { title: text.created, isAtEnd: true },
  ];
  const rows = links.map(({ short, url, createdAt, visits, last }) => ({
    id: encodeURIComponent(short),
    cells: [
      <Link
        key="url"
        class="link inline-flex min-h-6 items-center wrap-anywhere"
        href={`/admin/stats/${encodeURIComponent(short)}`}
        title={url}
      >
        <bdi>
          <BreakableText text={cutMiddle(toVisible(url), SHOWN_CHARACTERS)} />
        </bdi>
      </Link>,
      formatter.number(visits),
      <span key="last" class="whitespace-nowrap">{last === null ? text.never : formatter.moment(last)}</span>,
      <span key="created" class="whitespace-nowrap">{formatter.date(createdAt)}</span>,
    ],
  }));
  return <DataTable caption={text.listTitle} columns={columns} rows={rows} />;
}

function Pages({ data: { list, isFirst }, query }: LinkSectionProps) {
  const { text, messages } = useTexts(texts);
  if (isFirst && list.next === null) return null;
  const look = "link inline-flex min-h-9 items-center text-small font-medium";
  return (
    <nav aria-label={text.pages} class="mt-2 flex gap-x-6">
      {!isFirst && <Link class={look} href={pageQuery(query, "links")}>{messages.common.firstPage}</Link>}
      {list.next !== null && (
        <Link class={look} href={pageQuery({ ...query, cursor: list.next }, "links")}>
          {messages.common.nextPage}
        </Link>
      )}
    </nav>
  );
}
