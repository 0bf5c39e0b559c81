import type { Context } from "fresh";
import { AppError } from "@/lib/core/errors.ts";
import type { State } from "@/lib/services/services.ts";
import { toShortLink } from "@/lib/links/alphabet.ts";
import type { Link } from "@/lib/links/link_cache.ts";
import { listLatestVisits, type VisitCursor } from "@/lib/links/stats.ts";
import { readVisitCount } from "@/lib/links/visit_log.ts";
import { QR_FORMATS, toQrFile } from "@/lib/links/qr_code.ts";
import type { AdminPageSpec } from "../admin_page.ts";
import type { AdminRequest } from "../admin_request.ts";
import { readVisitChart, type VisitChart } from "./visit_chart.ts";

/** Data of a short URL's page. */
export interface LinkStatsData {
  readonly short: string;
  /** The absolute short link, percent-encoded. */
  readonly link: string;
  readonly url: string;
  /** Whether a page may link to the long URL. */
  readonly isWeb: boolean;
  readonly isBlocked: boolean;
  readonly createdAt: number;
  readonly visits: number;
  readonly chart: VisitChart;
  /** Visits in milliseconds, latest first. */
  readonly times: readonly number[];
  /** Cursor of older visits, or null. */
  readonly next: string | null;
  readonly isFirst: boolean;
}

/** The page of a short URL. */
export const linkStatsPage: AdminPageSpec<LinkStatsData> = { load: loadLinkStats };

async function loadLinkStats({ ctx, services, query }: AdminRequest): Promise<LinkStatsData | null> {
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
async function readPathLink({ params, state }: Context<State>): Promise<Link | null> {
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
