import { type LiveFigures, readLiveFigures } from "@/lib/links/live_counts.ts";
import { MAX_URL_LENGTH } from "@/lib/links/params.ts";
import { type LinkPage, listNewestLinks, listTopLinks } from "@/lib/links/stats.ts";
import { type AdminPageHandler, type AdminPageSpec, pageHandler } from "../admin_page.ts";
import type { AdminRequest } from "../admin_request.ts";
import { shortenAction } from "../links/shorten_form.ts";
import { listBadges, readService, type ShownBadge } from "./stats_badges.ts";

import { EXPORTED_LINKS } from "./stats_export.ts";
import { readVisitChart, type VisitChart } from "./visit_chart.ts";

/**
 * Time in milliseconds for applying the log of visits before the page is rendered, so that the order of the list
 * includes recent ones.
 */
const CATCH_UP_MS = 30;

/** Views of the list of links. */
const LINK_VIEWS = ["visited", "newest"] as const;

/** Data of the statistics page. */
export interface StatsData {
  readonly figures: LiveFigures;
  readonly chart: VisitChart;
  readonly view: typeof LINK_VIEWS[number];
  readonly list: LinkPage;
  /** Whether this is the first page of the list. */
  readonly isFirst: boolean;
  /** Whether some counted visits are missing from the list. */
  readonly isBehind: boolean;
  readonly badges: readonly ShownBadge[];
  readonly service: { readonly typed: string; readonly isWrong: boolean };
  readonly baseUrl: string;
  readonly limits: Readonly<Record<"url" | "exported", number>>;
}

const spec: AdminPageSpec<StatsData> = {
  load: loadStats,
  actions: { shorten: shortenAction(linkPath) },
};

/** The statistics page. */
export function statsPage(): AdminPageHandler<StatsData> {
  return pageHandler(spec);
}

/** Returns the path of a short URL's page. */
function linkPath(short: string): string {
  return `/admin/stats/${encodeURIComponent(short)}`;
}

async function loadStats({ services, query }: AdminRequest): Promise<StatsData> {
  const { links, config, clock, store: { kv } } = services;
  const isWhole = await links.compactor.catchUp(CATCH_UP_MS);
  const view = query.get("view") === "newest" ? "newest" : "visited";
  const cursor = query.get("cursor");
  const typed = (query.get("service") ?? "").slice(0, 500);
  const listed = async () =>
    view === "newest" ? await listNewestLinks(links, cursor) : await listTopLinks(links, cursor);
  const [figures, chart, list] = await Promise.all([
    readLiveFigures({ kv, clock }),
    readVisitChart(kv, { short: null, query, now: clock.now() }),
    listed(),
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
