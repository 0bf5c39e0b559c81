import { Link } from "@/components/Link.tsx";
import { QrCode } from "@/components/QrCode.tsx";
import { CodePointList, ShortLinkText } from "@/components/ShortLinkText.tsx";
import { DataTable } from "@/components/admin/DataTable.tsx";
import { EmptyState } from "@/components/admin/EmptyState.tsx";
import { rangeQuery } from "@/components/admin/charts/RangeControls.tsx";
import { pageQuery, type QueryValues } from "@/components/admin/charts/page_query.ts";
import { readVisitChart, VisitChartSection } from "./visit_chart.tsx";
import CopyText from "@/islands/admin/stats/CopyText.tsx";
import { AppError } from "@/lib/core/errors.ts";
import { toShortLink } from "@/lib/links/alphabet.ts";
import { listLatestVisits, type VisitCursor } from "@/lib/links/stats.ts";
import type { Link as StoredLink } from "@/lib/links/link_cache.ts";
import { QR_FORMATS, toQrFile } from "@/lib/links/qr_code.ts";
import { readVisitCount } from "@/lib/links/visit_log.ts";
import type { State } from "@/lib/services/services.ts";
import { toPlainLink, toVisible } from "@/lib/ui/short_link.ts";
import { cutMiddle } from "@/lib/ui/cut_middle.ts";
import type { Context } from "fresh";
import type { ComponentChildren } from "preact";
import type { AdminRequest } from "../../admin_request.ts";
import { statsPage } from "./stats.tsx";
import { adminPage } from "../../declare/page.tsx";
import { useTexts } from "../../declare/texts.ts";

const texts = {
  visits: "Visits",
  hoursSince: "There are very many visits, so only those since {date} are shown by hour.",
  created: "Created",
  pages: "Pages",
  linkTitle: "Short link",
  invisible: "and {count} invisible characters",
  leadsTo: "Destination",
  writtenOut: "Encoded link, for programs that remove invisible characters",
  blocked: "This host is blocked. The link answers 410.",
  notWeb: "This is not a web address, so browsers are not redirected.",
  copyShort: "Copy short link",
  copyEncoded: "Copy encoded link",
  copiedShort: "Short link copied.",
  copiedEncoded: "Encoded link copied.",
  qrLabel: "QR code of the short link",
  qrDownload: "Download as SVG",
  points: "Invisible characters",
  visitsTitle: "Latest visits",
  visitsHint: "Newest first, in your time zone.",
  visitsNone: "This link has not been visited yet.",
  visit: "Visit",
  visitUtc: "UTC",
  latestVisits: "Latest visits",
  olderVisits: "Older visits",
};

type LinkStatsData = NonNullable<Awaited<ReturnType<typeof loadLinkStats>>>;

async function loadLinkStats({ ctx, services, query }: AdminRequest) {
  const { clock, config, store: { kv } } = services;
  const link = await readPathLink(ctx);
  if (link === null) return null;
  const { short, url, createdAt, isBlocked, location } = link;
  const cursor = readVisitCursor(query.get("cursor"));
  const [visits, chart, page] = await Promise.all([
    readVisitCount(kv, short),
    readVisitChart(kv, { short, query, now: clock.now() }),
    listLatestVisits(kv, short, cursor),
  ]);
  return {
    short,
    link: toShortLink(config.baseUrl, short),
    url,
    /** Whether a page may link to the long URL. */
    isWeb: location !== null,
    isBlocked,
    createdAt,
    visits,
    chart,
    times: page.times,
    next: page.next === null ? null : `${page.next.time}.${page.next.skip}`,
    isFirst: cursor === null,
  };
}

/** Returns the short URL in the page's path, open or closed; null without one and for a deleted one. */
async function readPathLink({ params, state }: Context<State>): Promise<StoredLink | null> {
  const { cache } = state.app.links;
  await cache.refresh();
  const link = await cache.read(params["short"] ?? "");
  return link === null || link.deletedAt !== undefined ? null : link;
}

function readVisitCursor(text: string | null): VisitCursor | null {
  if (text === null) return null;
  const [, time, skip] = /^(\d{1,15})\.(\d{1,4})$/.exec(text) ?? [];
  if (time === undefined || skip === undefined) {
    throw new AppError("BAD_REQUEST", "Invalid page cursor.");
  }
  return { time: Number(time), skip: Number(skip) };
}

/**
 * Downloads the QR code of a short link as SVG, or as PNG with `?format=png`.
 * @throws AppError NOT_FOUND for an id that was never assigned.
 */
export async function downloadQrCode(ctx: Context<State>): Promise<Response> {
  const link = await readPathLink(ctx);
  if (link === null) throw new AppError("NOT_FOUND", "No short link has this ID.");
  const format = QR_FORMATS.find((known) => known === ctx.url.searchParams.get("format")) ?? "svg";
  const file = await toQrFile(toShortLink(ctx.state.app.config.baseUrl, link.short), format);
  return new Response(file.body, {
    headers: {
      "content-type": file.type,
      "content-disposition": `attachment; filename="${file.name}"`,
      "cache-control": "no-store",
    },
  });
}

const TITLE_CHARACTERS = 48;

/** Renders the page of a short URL: its target, characters and visits. */
export const linkStatsPage = adminPage({
  path: "/admin/stats/[short]",
  load: loadLinkStats,
  title: ({ url }) => cutMiddle(toVisible(url), TITLE_CHARACTERS),
  above: [statsPage],
  view: ({ data }) => {
    const { text } = useTexts(texts);
    const query = rangeQuery(data.chart.range);
    return (
      <>
        <Card data={data} />
        <VisitChartSection chart={data.chart} query={query} sincePhrase={text.hoursSince} />
        <LatestVisits data={data} query={query} />
      </>
    );
  },
});

function Card({ data }: { data: LinkStatsData }) {
  const { text, t } = useTexts(texts);
  const { short, link } = data;
  return (
    <section
      aria-label={text.linkTitle}
      class="mb-9 grid gap-x-10 gap-y-6 border-y border-rule py-6 sm:grid-cols-[minmax(0,1fr)_auto]"
    >
      <div class="grid content-start gap-5">
        <ShortLinkText link={link} short={short} />
        <p class="sr-only">{t(text.invisible, { count: [...short].length })}</p>
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
  const { text, formatter } = useTexts(texts);
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
  const { text } = useTexts(texts);
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
  const { text, formatter } = useTexts(texts);
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
