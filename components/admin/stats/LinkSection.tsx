import type { StatsData } from "@/lib/admin/stats/stats_page.ts";
import type { ListedLink } from "@/lib/links/stats.ts";
import { cutMiddle } from "@/lib/ui/cut_middle.ts";
import { toVisible } from "@/lib/ui/short_link.ts";
import { useAdmin } from "../admin_view.ts";
import { DataTable } from "../DataTable.tsx";
import { EmptyState } from "../EmptyState.tsx";
import { Choices } from "../charts/Choices.tsx";
import { pageQuery, type QueryValues } from "../charts/page_query.ts";
import { BreakableText } from "../../BreakableText.tsx";
import { Link } from "../../Link.tsx";

const SHOWN_CHARACTERS = 64;
const VIEWS = ["visited", "newest"] as const;

interface LinkSectionProps {
  readonly data: StatsData;
  readonly query: QueryValues;
}

/** Renders the server's links, most visited or newest first. */
export function LinkSection({ data, query }: LinkSectionProps) {
  const { messages } = useAdmin();
  const { list } = data;
  return (
    <section aria-labelledby="links-title" class="mb-10" id="links">
      <div class="mb-3 flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
        <h2 id="links-title">{messages.stats.listTitle}</h2>
        <Views chosen={data.view} query={query} />
      </div>
      <p class="mb-3 text-small">
        <Link class="link inline-flex min-h-9 items-center" href="/admin/links">{messages.stats.manage}</Link>
      </p>
      {data.isBehind && <p class="mb-3 max-w-[64ch] text-small text-soft">{messages.stats.behind}</p>}
      {list.links.length > 0 && <LinkTable links={list.links} />}
      {list.links.length === 0 && <Empty view={data.view} />}
      <Pages data={data} query={query} />
    </section>
  );
}

function Views({ chosen, query }: { chosen: StatsData["view"]; query: QueryValues }) {
  const { messages } = useAdmin();
  const links = VIEWS.map((view) => ({
    name: messages.stats.views[view],
    path: pageQuery({ ...query, view: view === "visited" ? undefined : view }, "links"),
    isChosen: view === chosen,
  }));
  return <Choices label={messages.stats.view} links={links} />;
}

function Empty({ view }: { view: StatsData["view"] }) {
  const { messages } = useAdmin();
  const text = messages.stats;
  return view === "visited"
    ? <EmptyState title={text.emptyVisited}>{text.emptyVisitedAdvice}</EmptyState>
    : <EmptyState title={text.emptyNewest}>{text.emptyNewestAdvice}</EmptyState>;
}

function LinkTable({ links }: { links: readonly ListedLink[] }) {
  const { messages, formatter } = useAdmin();
  const text = messages.stats;
  const columns = [
    { title: text.longUrl },
    { title: text.visits, isAtEnd: true },
    { title: text.lastVisit, isAtEnd: true },
    { title: text.created, isAtEnd: true },
  ];
  const rows = links.map(({ short, url, visits, last, createdAt }) => ({
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
  const { messages } = useAdmin();
  if (isFirst && list.next === null) return null;
  const look = "link inline-flex min-h-9 items-center text-small font-medium";
  return (
    <nav aria-label={messages.stats.pages} class="mt-2 flex gap-x-6">
      {!isFirst && <Link class={look} href={pageQuery(query, "links")}>{messages.common.firstPage}</Link>}
      {list.next !== null && (
        <Link class={look} href={pageQuery({ ...query, cursor: list.next }, "links")}>
          {messages.common.nextPage}
        </Link>
      )}
    </nav>
  );
}
