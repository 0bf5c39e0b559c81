import type { Context } from "fresh";
import { BreakableText } from "@/components/BreakableText.tsx";
import { Link } from "@/components/Link.tsx";
import { CodePointList, QrCode, ShortLinkText } from "@/components/ShortLinkText.tsx";
import { ActionButton, ActionLink } from "@/components/admin/ActionButton.tsx";
import { EmptyState } from "@/components/admin/EmptyState.tsx";
import { SecretField } from "@/components/admin/SecretField.tsx";
import { rangeQuery } from "@/components/admin/charts/RangeControls.tsx";
import { pageQuery, type QueryValues } from "@/components/admin/charts/BarTable.tsx";
import CopyText from "@/islands/admin/stats/CopyText.tsx";
import { fileResponse } from "@/lib/api/response.ts";
import { methods } from "@/lib/api/methods.ts";
import { sendOn } from "@/lib/api/page_session.ts";
import { readQrFile } from "@/lib/links/manage/link_responses.ts";
import { QR_FORMATS } from "@/lib/links/manage/link_schemas.ts";
import { listLatestVisits } from "@/lib/links/stats.ts";
import { type EarlierDestination, linkKeys } from "@/lib/links/store.ts";
import type { State } from "@/lib/services/services.ts";
import { readRecord } from "@/lib/store/key.ts";
import { toPlainLink, toVisible } from "@/lib/ui/short_link.ts";
import { type AdminRequest, adminRequest } from "@/lib/admin/admin_request.ts";
import { Form } from "@/lib/admin/declare/form.tsx";
import { Table } from "@/components/admin/Table.tsx";
import { adminPage, useTexts } from "@/lib/admin/declare/page.tsx";
import { readVisitChart, VisitChartSection } from "../stats/visit_chart.tsx";
import { save, storedOf } from "./edit_link.tsx";
import { linksPage, switchLink } from "./links.tsx";
import {
  LINK_TEXTS,
  LinkCreatorName,
  linkPath,
  nameOf,
  readCreators,
  readShownLink,
  type ShownLink,
  StatusText,
  VisitCount,
} from "./shown_link.tsx";

const texts = {
  ...LINK_TEXTS,
  link: "Short link",
  copyShort: "Copy short link",
  copyEncoded: "Copy encoded link",
  copiedEncoded: "Encoded link copied.",
  leadsTo: "Destination",
  notWeb: "This is not a web address, so browsers are not redirected.",
  block: "Block this host",
  encoded: "Encoded link, for programs that remove invisible characters",
  points: "Invisible characters",
  qrSvg: "Download SVG",
  qrPng: "Download PNG",
  closed: {
    disabled: "This link is disabled. It leads nowhere until you enable it.",
    expired: "This link has expired and leads nowhere.",
    used_up: "This link has reached its maximum number of visits and leads nowhere.",
    blocked: "The host of this link is blocked, so it leads nowhere.",
  },
  hoursSince: "There are very many visits, so only those since {date} are shown by hour.",
  properties: "Properties",
  earlier: "Earlier destinations",
  replaced: "Replaced",
  byKey: "with the key of this server",
  latest: "Latest visits",
  noVisits: "This link has not been visited yet.",
  older: "Older visits",
  pages: "Pages",
};

type LinkData = NonNullable<Awaited<ReturnType<typeof loadLink>>>;

async function loadLink(request: AdminRequest) {
  const { services: { clock, store: { kv } }, query } = request;
  const link = await readShownLink(request);
  if (link === null) return null;
  const { short } = link;
  const cursor = query.get("cursor");
  const [chart, { times, next }, earlier, toCreator] = await Promise.all([
    readVisitChart(kv, { short, query, now: clock.now() }),
    listLatestVisits(kv, short, cursor),
    readRecord<readonly EarlierDestination[]>(kv, linkKeys.destinations(short)),
    readCreators(request),
  ]);
  return {
    link,
    chart,
    times,
    next,
    isFirst: cursor === null,
    /** The latest one first. */
    earlier: (earlier ?? []).toReversed().map(({ url, until, replacedBy }) => ({
      ...{ url, until },
      by: replacedBy === null ? null : toCreator(replacedBy),
    })),
  };
}

/** The page of a link: the link itself with its QR code, its visits, its properties and earlier destinations. */
export const linkPage = adminPage({
  path: "/admin/links/[short]",
  load: loadLink,
  title: ({ link }) => nameOf(link),
  above: [linksPage],
  forms: [save, ...switchLink],
  view: ({ data }) => {
    const { text } = useTexts(texts);
    const query = rangeQuery(data.chart.range);
    return (
      <>
        <Card link={data.link} />
        <VisitChartSection chart={data.chart} query={query} sincePhrase={text.hoursSince} />
        <section aria-labelledby="properties-title" class="mb-12 max-w-[40rem]">
          <h2 id="properties-title" class="mb-4">{text.properties}</h2>
          <Form of={save} stored={storedOf(data.link)} />
        </section>
        {data.earlier.length > 0 && <EarlierDestinations earlier={data.earlier} />}
        <LatestVisits data={data} query={query} />
      </>
    );
  },
});

/** Leads from the former page of a link's statistics to its page. */
export const formerStatsPage = methods({
  GET: (ctx: Context<State>) =>
    Promise.resolve(sendOn(ctx, linkPath(ctx.params["short"] ?? "") + ctx.url.search)),
});

/**
 * The QR code of a link as a file: SVG, or PNG with `?format=png`.
 * @throws AppError NOT_FOUND.
 */
export const qrFile = methods({
  GET: async (ctx: Context<State>) => {
    const { services: { links }, query } = adminRequest(ctx);
    const format = QR_FORMATS.find((known) => known === query.get("format"));
    const file = fileResponse(await readQrFile(links, ctx.params["short"] ?? "", format));
    return new Response(file.body, { headers: file.headers });
  },
});

function Card({ link }: { link: ShownLink }) {
  const { text, messages } = useTexts(texts);
  const { short, status, isDisabled, url } = link;
  const path = linkPath(short);
  const look = "link inline-flex min-h-9 items-center text-small font-medium";
  return (
    <section
      aria-label={text.link}
      class="mb-9 grid gap-x-10 gap-y-6 border-y border-rule py-6 sm:grid-cols-[minmax(0,1fr)_auto]"
    >
      <div class="grid content-start gap-5">
        {status !== "active" && <p class="font-medium text-accent">{text.closed[status]}</p>}
        <ShortLinkText link={link.link} short={short} />
        <SecretField id="short-link" label={text.link} value={toPlainLink(link)} copy={text.copyShort}>
          <CopyText text={link.link} label={text.copyEncoded} done={text.copiedEncoded} />
        </SecretField>
        <Facts link={link} />
        <div class="flex flex-wrap items-center gap-x-5">
          <ActionButton action={isDisabled ? "enable" : "disable"} fields={{ short }}>
            {isDisabled ? text.enable : text.disable}
          </ActionButton>
          <ActionLink href={`${path}/delete`} about={toVisible(url)}>{messages.common.delete}</ActionLink>
        </div>
        <details class="text-small">
          <summary class="link inline-flex min-h-9 w-fit items-center font-medium">{text.points}</summary>
          <CodePointList text={short} />
        </details>
      </div>
      <div class="grid content-start gap-1">
        <QrCode text={link.link} label={text.qrLabel} />
        <Link class={look} href={`${path}/qr?format=svg`} download>{text.qrSvg}</Link>
        <Link class={look} href={`${path}/qr?format=png`} download>{text.qrPng}</Link>
      </div>
    </section>
  );
}

function Facts({ link }: { link: ShownLink }) {
  const { text, formatter } = useTexts(texts);
  const { url, createdAt, creator } = link;
  const { hostname, protocol } = new URL(url);
  const isWeb = /^https?:$/.test(protocol);
  const facts = {
    [text.leadsTo]: (
      <>
        {isWeb
          ? (
            <Link class="link wrap-anywhere" href={url} rel="noopener noreferrer">
              <bdi>
                <BreakableText text={url} />
              </bdi>
            </Link>
          )
          : (
            <bdi class="wrap-anywhere">
              <BreakableText text={url} />
            </bdi>
          )}
        {!isWeb && <p class="text-soft">{text.notWeb}</p>}
      </>
    ),
    ...(hostname === "" ? {} : {
      [text.host]: (
        <span class="flex flex-wrap gap-x-4">
          <Link class="link" href={`/admin/links?host=${encodeURIComponent(hostname)}#list`}>
            <bdi>{hostname}</bdi>
          </Link>
          <Link class="link" href={`/admin/links/hosts?host=${encodeURIComponent(hostname)}`}>
            {text.block}
          </Link>
        </span>
      ),
    }),
    [text.encoded]: <code class="font-mono text-tiny break-all select-all">{link.link}</code>,
    [text.status]: <StatusText link={link} />,
    [text.created]: (
      <span class="flex flex-wrap gap-x-2">
        <time dateTime={new Date(createdAt).toISOString()}>{formatter.moment(createdAt)}</time>
        {creator !== null && <LinkCreatorName creator={creator} />}
      </span>
    ),
    [text.visits]: <VisitCount link={link} />,
  };
  return (
    <dl class="grid gap-y-3 text-small">
      {Object.entries(facts).map(([term, value]) => (
        <div key={term} class="min-w-0">
          <dt class="text-soft">{term}</dt>
          <dd class="mt-0.5">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function EarlierDestinations({ earlier }: Pick<LinkData, "earlier">) {
  const { text, formatter } = useTexts(texts);
  return (
    <section aria-labelledby="earlier-title" class="mb-12">
      <h2 id="earlier-title">{text.earlier}</h2>
      <Table
        caption={text.earlier}
        items={earlier}
        columns={[
          {
            title: text.leadsTo,
            cell: ({ url }) => (
              <bdi class="wrap-anywhere">
                <BreakableText text={url} />
              </bdi>
            ),
          },
          {
            title: text.replaced,
            cell: ({ until, by }) => (
              <span class="flex flex-wrap gap-x-2">
                {formatter.moment(until)} {by === null ? text.byKey : <LinkCreatorName creator={by} />}
              </span>
            ),
          },
        ]}
      />
    </section>
  );
}

function LatestVisits({ data: { times, next, isFirst }, query }: { data: LinkData; query: QueryValues }) {
  const { text, formatter } = useTexts(texts);
  const look = "link inline-flex min-h-9 items-center text-small font-medium";
  return (
    <section aria-labelledby="latest-title" id="latest">
      <h2 id="latest-title" class="mb-3">{text.latest}</h2>
      {times.length === 0
        ? <EmptyState title={text.noVisits} />
        : (
          <ul class="columns-2xs text-small tabular-nums">
            {times.map((time, at) => (
              <li key={at} class="py-1">
                <time dateTime={new Date(time).toISOString()}>{formatter.moment(time)}</time>
              </li>
            ))}
          </ul>
        )}
      <nav aria-label={text.pages} class="mt-2 flex gap-x-6">
        {!isFirst && <Link class={look} href={pageQuery(query, "latest")}>{text.latest}</Link>}
        {next !== null && (
          <Link class={look} href={pageQuery({ ...query, cursor: next }, "latest")}>{text.older}</Link>
        )}
      </nav>
    </section>
  );
}
