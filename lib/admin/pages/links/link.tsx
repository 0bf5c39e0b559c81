import type { Context } from "fresh";
import { BreakableText } from "@/components/BreakableText.tsx";
import { Link } from "@/components/Link.tsx";
import { CodePointList, QrCode, ShortLinkText } from "@/components/ShortLinkText.tsx";
import { ActionButton, ActionLink } from "@/components/admin/ActionButton.tsx";
import { EmptyState } from "@/components/admin/EmptyState.tsx";
import { SecretField } from "@/components/admin/SecretField.tsx";
import { pageQuery } from "@/lib/admin/charts/BarTable.tsx";
import CopyText from "@/islands/admin/stats/CopyText.tsx";
import { fileResponse } from "@/lib/api/response.ts";
import { methods } from "@/lib/api/methods.ts";
import { sendOn } from "@/lib/api/page_session.ts";
import { readQrFile } from "@/lib/links/manage/link_responses.ts";
import { QR_FORMATS } from "@/lib/links/manage/link_schemas.ts";
import { listLatestVisits } from "@/lib/links/stats.ts";
import { type EarlierDestination, linkKeys } from "@/lib/links/store.ts";
import { readDirectory } from "@/lib/chat/organization/users/store.ts";
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
import { LinkCreatorName, linkPath, nameOf, readShownLink, StatusText, VisitCount } from "./shown_link.tsx";

const CLOSED = {
  disabled: "This link is disabled. It leads nowhere until you enable it.",
  expired: "This link has expired and leads nowhere.",
  used_up: "This link has reached its maximum number of visits and leads nowhere.",
  blocked: "The host of this link is blocked, so it leads nowhere.",
};
const SINCE = "There are very many visits, so only those since {date} are shown by hour.";
const LOOK = "link inline-flex min-h-9 items-center text-small font-medium";

type LinkData = NonNullable<Awaited<ReturnType<typeof loadLink>>>;

async function loadLink(request: AdminRequest) {
  const { services: { clock, store: { kv } }, chat, realm, query } = request;
  const link = await readShownLink(request);
  if (link === null) return null;
  const { short } = link;
  const cursor = query.get("cursor");
  const [chart, { times, next }, earlier, { byId }] = await Promise.all([
    readVisitChart(kv, { short, query, now: clock.now() }),
    listLatestVisits(kv, short, cursor),
    readRecord<readonly EarlierDestination[]>(kv, linkKeys.destinations(short)),
    readDirectory(chat, realm.id),
  ]);
  return {
    link,
    chart,
    times,
    next,
    isFirst: cursor === null,
    /** The latest one first. */
    earlier: (earlier ?? []).toReversed(),
    users: byId,
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
    const { t } = useTexts(null);
    return (
      <>
        <Card data={data} />
        <VisitChartSection chart={data.chart} sincePhrase={SINCE} hasLocalTimes />
        <section aria-labelledby="properties-title" class="mb-12 max-w-[40rem]">
          <h2 id="properties-title" class="mb-4">{t("Properties")}</h2>
          <Form of={save} stored={storedOf(data.link)} />
        </section>
        {data.earlier.length > 0 && <EarlierDestinations data={data} />}
        <LatestVisits data={data} />
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

function Card({ data: { link, users } }: { data: LinkData }) {
  const { t } = useTexts(null);
  const { short, status, isDisabled, url } = link;
  const path = linkPath(short);
  return (
    <section
      aria-label={t("Short link")}
      class="mb-9 grid gap-x-10 gap-y-6 border-y border-rule py-6 sm:grid-cols-[minmax(0,1fr)_auto]"
    >
      <div class="grid content-start gap-5">
        {status !== "active" && <p class="font-medium text-accent">{t(CLOSED[status])}</p>}
        <ShortLinkText link={link.link} short={short} />
        <SecretField
          id="short-link"
          label={t("Short link")}
          value={toPlainLink(link)}
          copy={t("Copy short link")}
        >
          <CopyText text={link.link} label={t("Copy encoded link")} done={t("Encoded link copied.")} />
        </SecretField>
        <Facts link={link} users={users} />
        <div class="flex flex-wrap items-center gap-x-5">
          <ActionButton action={isDisabled ? "enable" : "disable"} fields={{ short }}>
            {t(isDisabled ? "Enable" : "Disable")}
          </ActionButton>
          <ActionLink href={`${path}/delete`} about={toVisible(url)}>{t("Delete")}</ActionLink>
        </div>
        <details class="text-small">
          <summary class="link inline-flex min-h-9 w-fit items-center font-medium">
            {t("Invisible characters")}
          </summary>
          <CodePointList text={short} />
        </details>
      </div>
      <div class="grid content-start gap-1">
        <QrCode text={link.link} label={t("QR code of the short link")} />
        <Link class={LOOK} href={`${path}/qr?format=svg`} download>{t("Download SVG")}</Link>
        <Link class={LOOK} href={`${path}/qr?format=png`} download>{t("Download PNG")}</Link>
      </div>
    </section>
  );
}

function Facts({ link, users }: Pick<LinkData, "link" | "users">) {
  const { t, formatter } = useTexts(null);
  const { url, createdAt, creator } = link;
  const { hostname, protocol } = new URL(url);
  const facts = {
    [t("Destination")]: /^https?:$/.test(protocol)
      ? (
        <Link class="link wrap-anywhere" href={url} rel="noopener noreferrer">
          <bdi>
            <BreakableText text={url} />
          </bdi>
        </Link>
      )
      : (
        <>
          <bdi class="wrap-anywhere">
            <BreakableText text={url} />
          </bdi>
          <p class="text-soft">{t("This is not a web address, so browsers are not redirected.")}</p>
        </>
      ),
    ...(hostname === "" ? {} : {
      [t("Host")]: (
        <span class="flex flex-wrap gap-x-4">
          <Link class="link" href={`/admin/links?host=${encodeURIComponent(hostname)}#list`}>
            <bdi>{hostname}</bdi>
          </Link>
          <Link class="link" href={`/admin/links/hosts?host=${encodeURIComponent(hostname)}`}>
            {t("Block this host")}
          </Link>
        </span>
      ),
    }),
    [t("Encoded link, for programs that remove invisible characters")]: (
      <code class="font-mono text-tiny break-all select-all">{link.link}</code>
    ),
    [t("Status")]: <StatusText link={link} />,
    [t("Created")]: (
      <span class="flex flex-wrap gap-x-2">
        <time dateTime={new Date(createdAt).toISOString()}>{formatter.moment(createdAt)}</time>
        {creator !== undefined && <LinkCreatorName creator={creator} users={users} />}
      </span>
    ),
    [t("Visits")]: <VisitCount link={link} />,
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

function EarlierDestinations({ data: { earlier, users } }: { data: LinkData }) {
  const { t, formatter } = useTexts(null);
  const title = t("Earlier destinations");
  return (
    <section aria-labelledby="earlier-title" class="mb-12">
      <h2 id="earlier-title">{title}</h2>
      <Table
        caption={title}
        items={earlier}
        columns={[
          {
            title: t("Destination"),
            cell: ({ url }) => (
              <bdi class="wrap-anywhere">
                <BreakableText text={url} />
              </bdi>
            ),
          },
          {
            title: t("Replaced"),
            cell: ({ until, replacedBy: creator }) => (
              <span class="flex flex-wrap gap-x-2">
                {formatter.moment(until)} {creator === null
                  ? t("with the key of this server")
                  : <LinkCreatorName creator={creator} users={users} />}
              </span>
            ),
          },
        ]}
      />
    </section>
  );
}

function LatestVisits({ data: { chart: { range: { query } }, times, next, isFirst } }: { data: LinkData }) {
  const { t, formatter } = useTexts(null);
  const title = t("Latest visits");
  return (
    <section aria-labelledby="latest-title" id="latest">
      <h2 id="latest-title" class="mb-3">{title}</h2>
      {times.length === 0
        ? <EmptyState title={t("This link has not been visited yet.")} />
        : (
          <ul class="columns-2xs text-small tabular-nums">
            {times.map((time, at) => (
              <li key={at} class="py-1">
                <time dateTime={new Date(time).toISOString()}>{formatter.moment(time)}</time>
              </li>
            ))}
          </ul>
        )}
      <nav aria-label={t("Pages")} class="mt-2 flex gap-x-6">
        {!isFirst && <Link class={LOOK} href={pageQuery(query, "latest")}>{title}</Link>}
        {next !== null && (
          <Link class={LOOK} href={pageQuery({ ...query, cursor: next }, "latest")}>{t("Older visits")}</Link>
        )}
      </nav>
    </section>
  );
}
