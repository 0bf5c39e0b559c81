import CopyText from "@/islands/admin/stats/CopyText.tsx";
import { CodePointList, ShortLinkText } from "@/components/ShortLinkText.tsx";
import { QrCode } from "@/components/QrCode.tsx";
import type { AdminPageData } from "@/lib/admin/admin_page.ts";
import type { LinkStatsData } from "@/lib/admin/stats/link_stats_page.ts";
import { cutMiddle } from "@/lib/ui/cut_middle.ts";
import { toPlainLink, toVisible } from "@/lib/ui/short_link.ts";
import type { ComponentChildren } from "preact";
import { useAdmin } from "../admin_view.ts";
import { AdminHeading } from "../AdminHeading.tsx";
import { DataTable } from "../DataTable.tsx";
import { EmptyState } from "../EmptyState.tsx";
import { pageQuery, type QueryValues } from "../charts/page_query.ts";
import { rangeQuery } from "../charts/RangeControls.tsx";
import { VisitChartSection } from "./VisitChartSection.tsx";
import { Link } from "../../Link.tsx";

const ABOVE = "/admin/stats";
const TITLE_CHARACTERS = 48;

/** Renders the page of a short URL: its target, characters and visits. */
export function LinkStatsPage({ data }: AdminPageData<LinkStatsData>) {
  const { messages } = useAdmin();
  const text = messages.stats;
  const query: QueryValues = {
    ...rangeQuery(data.chart.range),
  };
  return (
    <>
      <AdminHeading
        title={cutMiddle(toVisible(data.url), TITLE_CHARACTERS)}
        above={[{ path: ABOVE, name: text.title }]}
      />
      <Card data={data} />
      <VisitChartSection chart={data.chart} query={query} sincePhrase={text.hoursSince} />
      <LatestVisits data={data} query={query} />
    </>
  );
}

function Card({ data }: { data: LinkStatsData }) {
  const { messages, formatter } = useAdmin();
  const text = messages.stats;
  const { short, link } = data;
  return (
    <section
      aria-label={text.linkTitle}
      class="mb-9 grid gap-x-10 gap-y-6 border-y border-rule py-6 sm:grid-cols-[minmax(0,1fr)_auto]"
    >
      <div class="grid content-start gap-5">
        <ShortLinkText link={link} short={short} />
        <p class="sr-only">{formatter.t(text.invisible, { count: [...short].length })}</p>
        <Copies data={data} />
        <Facts data={data} />
        <details class="text-small">
          <summary class="link inline-flex min-h-9 w-fit items-center font-medium">{text.points}</summary>
          <CodePointList text={short} />
        </details>
      </div>
      <div class="grid content-start gap-1">
        <QrCode text={link} label={text.qrLabel} />
        <Link
          class="link inline-flex min-h-9 items-center text-small font-medium"
          href={`/admin/stats/${encodeURIComponent(short)}/qr`}
          download
        >
          {text.qrDownload}
        </Link>
      </div>
    </section>
  );
}

function Facts({ data: { url, link, isWeb, isBlocked, createdAt, visits } }: { data: LinkStatsData }) {
  const { messages, formatter } = useAdmin();
  const text = messages.stats;
  return (
    <dl class="grid grid-cols-[auto_minmax(0,1fr)] gap-x-10 gap-y-4 text-small">
      <Fact term={text.leadsTo}>
        {isWeb
          ? (
            <Link class="link break-all" href={url} rel="noopener noreferrer">
              <bdi>{url}</bdi>
            </Link>
          )
          : <bdi class="break-all">{url}</bdi>}
        {!isWeb && <p class="text-soft">{text.notWeb}</p>}
        {isBlocked && <p class="font-medium text-accent">{text.blocked}</p>}
      </Fact>
      <Fact term={text.writtenOut}>
        <code class="font-mono text-tiny break-all select-all">{link}</code>
      </Fact>
      <Fact term={text.created} isShort>{formatter.moment(createdAt)}</Fact>
      <Fact term={text.visits} isShort>{formatter.number(visits)}</Fact>
    </dl>
  );
}

function Copies({ data: { short, link } }: { data: LinkStatsData }) {
  const { messages } = useAdmin();
  const text = messages.stats;
  return (
    <div class="flex flex-wrap items-center gap-x-3 gap-y-2">
      <CopyText text={toPlainLink({ link, short })} label={text.copyShort} done={text.copiedShort} />
      <CopyText text={link} label={text.copyEncoded} done={text.copiedEncoded} />
    </div>
  );
}

interface FactProps {
  readonly term: string;
  /** Whether another item fits beside it. */
  readonly isShort?: boolean;
  readonly children: ComponentChildren;
}

function Fact({ term, isShort = false, children }: FactProps) {
  return (
    <div class={isShort ? "" : "col-span-2 min-w-0"}>
      <dt class="text-soft">{term}</dt>
      <dd class="mt-0.5">{children}</dd>
    </div>
  );
}

function LatestVisits({ data, query }: { data: LinkStatsData; query: QueryValues }) {
  const { messages, formatter } = useAdmin();
  const text = messages.stats;
  const look = "link inline-flex min-h-9 items-center text-small font-medium";
  const older = data.next === null ? null : pageQuery({ ...query, cursor: data.next }, "latest");
  const rows = data.times.map((time, at) => ({
    id: String(at),
    cells: [
      formatter.moment(time),
      <code key="utc" class="font-mono text-tiny">{new Date(time).toISOString()}</code>,
    ],
  }));
  return (
    <section aria-labelledby="visits-list-title" id="latest">
      <h2 id="visits-list-title">{text.visitsTitle}</h2>
      {rows.length === 0
        ? (
          <div class="mt-3">
            <EmptyState title={text.visitsNone} />
          </div>
        )
        : (
          <>
            <p class="mt-1 mb-3 text-small text-soft">{text.visitsHint}</p>
            <DataTable
              caption={text.visitsTitle}
              columns={[{ title: text.visit }, { title: text.visitUtc, isAtEnd: true }]}
              rows={rows}
            />
          </>
        )}
      <nav aria-label={text.pages} class="mt-2 flex gap-x-6">
        {!data.isFirst && <Link class={look} href={pageQuery(query, "latest")}>{text.latestVisits}</Link>}
        {older !== null && <Link class={look} href={older}>{text.olderVisits}</Link>}
      </nav>
    </section>
  );
}
