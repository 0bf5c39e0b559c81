import type { Context } from "fresh";
import { Link } from "@/components/Link.tsx";
import { EmptyState } from "@/components/admin/EmptyState.tsx";
import { Moment } from "@/components/admin/Moment.tsx";
import { pageQuery } from "@/lib/admin/charts/BarTable.tsx";
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
import { type AdminRequest, adminRequest } from "@/lib/admin/admin_request.ts";
import { Form } from "@/lib/admin/declare/form.tsx";
import { Table } from "@/components/admin/Table.tsx";
import { adminPage, useTexts } from "@/lib/admin/declare/page.tsx";
import { readVisitChart, VisitChartSection } from "../stats/visit_chart.tsx";
import { save, storedOf } from "./edit_link.tsx";
import { LinkCard } from "./link_card.tsx";
import { linksPage, switchLink } from "./links.tsx";
import { LinkCreatorName, linkPath, nameOf, readShownLink, UrlText } from "./shown_link.tsx";

const LOOK = "link inline-flex min-h-9 items-center text-small font-medium";

type LinkData = NonNullable<Awaited<ReturnType<typeof loadLink>>>;

async function loadLink(request: AdminRequest) {
  const { services: { clock, store: { kv } }, chat, realm, query } = request;
  const link = await readShownLink(request);
  if (link === null) return null;
  const { short } = link;
  const cursor = query.get("cursor");
  const [chart, latest, earlier, { byId: users }] = await Promise.all([
    readVisitChart(kv, { short, query, now: clock.now() }),
    listLatestVisits(kv, short, cursor),
    readRecord<readonly EarlierDestination[]>(kv, linkKeys.destinations(short)),
    readDirectory(chat, realm.id),
  ]);
  // The latest destination comes first.
  return { link, chart, latest, isFirst: cursor === null, earlier: (earlier ?? []).toReversed(), users };
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
        <LinkCard {...data} />
        <VisitChartSection chart={data.chart} />
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
          { title: t("Destination"), cell: ({ url }) => <UrlText url={url} /> },
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

function LatestVisits({ data: { chart, latest: { times, next }, isFirst } }: { data: LinkData }) {
  const { t } = useTexts(null);
  const title = t("Latest visits");
  const { query } = chart.range;
  return (
    <section aria-labelledby="latest-title" id="latest">
      <h2 id="latest-title" class="mb-3">{title}</h2>
      {times.length === 0
        ? <EmptyState title={t("This link has not been visited yet.")} />
        : (
          <ul class="columns-2xs text-small tabular-nums">
            {times.map((time, at) => (
              <li key={at} class="py-1">
                <Moment time={time} />
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
