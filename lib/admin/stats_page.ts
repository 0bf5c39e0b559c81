import type { Context } from "fresh";
import type { AppError } from "@/lib/core/errors.ts";
import type { MethodHandler, PathHandler } from "@/lib/http/methods.ts";
import { methods } from "@/lib/http/methods.ts";
import { sendOn } from "@/lib/http/page_session.ts";
import type { State } from "@/lib/http/services.ts";
import { shorten } from "@/lib/links/actions.ts";
import { type LiveFigures, readLiveFigures } from "@/lib/links/live_counts.ts";
import { findUrlProblem, MAX_URL_LENGTH } from "@/lib/links/params.ts";
import {
  findPastedLink,
  type LinkPage,
  listNewestLinks,
  listTopLinks,
  SEARCH_HITS,
  SEARCHED_LINKS,
  searchTopLinks,
} from "@/lib/links/stats.ts";
import { linkKeys } from "@/lib/links/store.ts";
import { adminPage, type AdminPageData, type AdminPageSpec, type Done, FormRefusal } from "./admin_page.ts";
import type { AdminRequest } from "./admin_request.ts";
import type { FormFields } from "./form_fields.ts";
import { listBadges, readService, type ShownBadge } from "./stats_badges.ts";
import { readChart, readPeriod, type VisitChart } from "./stats_days.ts";
import { EXPORTED_LINKS } from "./stats_export.ts";

/** Milliseconds in which journals are read before a page is shown, so that what one has just done is on it. */
export const CATCH_UP_MS = 30;

/** Ways to list the links. */
const LINK_VIEWS = ["visited", "newest"] as const;

/** What the page of statistics shows. */
export interface StatsData {
  readonly figures: LiveFigures;
  readonly chart: VisitChart;
  readonly view: typeof LINK_VIEWS[number];
  readonly list: LinkPage;
  /** Whether this is the first page of the list. */
  readonly isFirst: boolean;
  /** Whether visits are counted already that have no place in the list yet. */
  readonly isBehind: boolean;
  /** What was searched for; null without a search. */
  readonly search: { readonly text: string; readonly isWhole: boolean } | null;
  readonly badges: readonly ShownBadge[];
  readonly service: { readonly typed: string; readonly isWrong: boolean };
  readonly baseUrl: string;
  readonly blocked: readonly string[];
  readonly limits: Readonly<Record<"url" | "searched" | "hits" | "exported", number>>;
}

const spec: AdminPageSpec<StatsData> = {
  load: loadStats,
  actions: { shorten: { run: shortenUrl, fieldOf } },
};

/** The page of statistics; a short link that is pasted into its search leads to that link's own page. */
export function statsPage(): PathHandler<AdminPageData<StatsData>> {
  const page = adminPage(spec);
  const show: MethodHandler<AdminPageData<StatsData>> = async (ctx) =>
    await findSearched(ctx) ?? await page(ctx);
  return methods<AdminPageData<StatsData>>({ GET: show, POST: page });
}

async function findSearched(ctx: Context<State>): Promise<Response | null> {
  const text = searchText(ctx.url.searchParams);
  const link = text === "" ? null : await findPastedLink(ctx.state.app.links, text);
  return link === null ? null : sendOn(ctx, linkPath(link.short));
}

/** The address of one short URL's page. */
function linkPath(short: string): string {
  return `/admin/stats/${encodeURIComponent(short)}`;
}

/** Blanks that come along with what is pasted; all other invisible characters may belong to an id. */
function searchText(query: URLSearchParams): string {
  return (query.get("q") ?? "").replace(/^[ \t\r\n]+|[ \t\r\n]+$/g, "");
}

async function loadStats({ services, query }: AdminRequest): Promise<StatsData> {
  const { links, config, clock, store: { kv } } = services;
  const isWhole = await links.ranking.catchUp(CATCH_UP_MS);
  const view = query.get("view") === "newest" ? "newest" : "visited";
  const text = searchText(query);
  const cursor = query.get("cursor");
  const typed = (query.get("service") ?? "").slice(0, 500);
  const listed = async () =>
    view === "newest" ? await listNewestLinks(links, cursor) : await listTopLinks(links, cursor);
  const [figures, chart, found] = await Promise.all([
    readLiveFigures({ kv, clock }),
    readChart(kv, linkKeys.visitDays, { period: readPeriod(query), now: clock.now() }),
    text === "" ? listed() : searchTopLinks(links, text),
  ]);
  const service = readService(typed);
  return {
    figures,
    chart,
    view,
    list: "next" in found ? found : { links: found.links, next: null },
    isFirst: cursor === null,
    isBehind: !isWhole,
    search: "isWhole" in found ? { text, isWhole: found.isWhole } : null,
    badges: listBadges(config.baseUrl, figures, service),
    service: { typed, isWrong: typed.trim() !== "" && service === null },
    baseUrl: config.baseUrl,
    blocked: config.blockedHostnames,
    limits: { url: MAX_URL_LENGTH, searched: SEARCHED_LINKS, hits: SEARCH_HITS, exported: EXPORTED_LINKS },
  };
}

/** A blocked host is a matter of the URL; everything else is the server's. */
function fieldOf({ code }: AppError): string | null {
  return code === "UNPROCESSABLE" ? "url" : null;
}

async function shortenUrl(request: AdminRequest, fields: FormFields): Promise<Done> {
  const { services: { links }, speech, words } = request;
  const url = fields.text("url").replace(/^[ \t\r\n]+|[ \t\r\n]+$/g, "");
  const problem = findUrlProblem(url);
  if (problem !== null) throw new FormRefusal({ url: problem });
  const { short } = await shorten(links, url);
  return { said: speech.say(words.stats.made), to: linkPath(short) };
}
