import type { Context } from "fresh";
import { createTimestamper, DAY_MS, dayOf } from "@/lib/core/clock.ts";
import { AppError } from "@/lib/core/errors.ts";
import type { State } from "@/lib/services/services.ts";
import type { LinksApp } from "@/lib/links/app.ts";
import { toShortLink } from "@/lib/links/alphabet.ts";
import { findLinks, type FoundLink, type LinkSearchPage } from "@/lib/links/search/find_links.ts";
import { type Period, readLinkDays, readSums } from "@/lib/links/stats.ts";
import { linkKeys } from "@/lib/links/store.ts";
import { readChartRange, toDate } from "../charts/time_chart.ts";
import { toCsvDownload, toDownload } from "../csv.ts";
import { VISIT_CHOICES } from "../pages/stats/visit_chart.tsx";

/** Maximum number of links in an export, most visited first. */
export const EXPORTED_LINKS = 100_000;
/** Number of links that are read at once; for each page, the log of visits is read. */
const PAGE_LINKS = 250;

const FORMATS = ["csv", "json"] as const;
/** Columns and rows of the files, by their names in addresses. */
const FILES = {
  days: { columns: ["date", "visits", "urls"], list: listDayRows },
  urls: {
    columns: ["rank", "short_url", "long_url", "visits", "last_visit", "created"],
    list: listLinkRows,
  },
};
type Row = Readonly<Record<string, string | number>>;

/**
 * Streams the statistics of a period as a file: days with their visits and new URLs, or the most visited URLs. The period
 * is that of the page's address; all days without one.
 * @throws AppError BAD_REQUEST for another `what` or `format`.
 */
export async function exportStats({ state, url }: Context<State>): Promise<Response> {
  const { links, clock } = state.app;
  const what = url.searchParams.get("what") ?? "days";
  const format = FORMATS.find((name) => name === (url.searchParams.get("format") ?? "csv"));
  if (what !== "days" && what !== "urls" || format === undefined) {
    throw new AppError(
      "BAD_REQUEST",
      "Invalid export. Use what=days or what=urls, and format=csv or format=json.",
    );
  }
  const { columns, list } = FILES[what];
  const rows = list(links, readRange(url.searchParams, clock.now()));
  const name = `sotto-${what}-${toDate(clock.now())}.${format}`;
  return await Promise.resolve(
    format === "json"
      ? toDownload(name, "application/json", toJson(rows))
      : toCsvDownload({ name, columns, rows: toCells(rows) }),
  );
}

/** Returns the days of the period; all days begin with `-Infinity`. */
function readRange(query: URLSearchParams, now: number): Period {
  const isChosen = ["days", "from", "to"].some((name) => query.has(name));
  const { start, end } = readChartRange(
    isChosen ? query : new URLSearchParams("days=all"),
    VISIT_CHOICES,
    now,
  );
  return { from: start === null ? -Infinity : dayOf(start), to: dayOf(end - 1) + 1 };
}

async function* listDayRows({ store: { kv } }: LinksApp, range: Period): AsyncGenerator<Row> {
  const [visits, made] = await Promise.all([
    readSums(kv, linkKeys.visitDay(), range),
    readSums(kv, linkKeys.linkDay(), range),
  ]);
  const first = Math.min(...visits.keys(), ...made.keys(), range.to - 1);
  for (let day = range.from === -Infinity ? first : range.from; day < range.to; day++) {
    yield { date: toDate(day * DAY_MS), visits: visits.get(day) ?? 0, urls: made.get(day) ?? 0 };
  }
}

async function* listLinkRows(app: LinksApp, range: Period): AsyncGenerator<Row> {
  const timestamp = createTimestamper();
  let rank = 0;
  const links = range.from === -Infinity ? listAllTimeLinks(app) : await listLinksOfPeriod(app, range);
  for await (const { short, url, createdAt, visits, last } of links) {
    yield {
      rank: ++rank,
      short_url: toShortLink(app.config.baseUrl, short),
      long_url: url,
      visits,
      last_visit: last === null ? "" : timestamp(last),
      created: timestamp(createdAt),
    };
  }
}

/** Lists visited links, most visited first. */
async function* listAllTimeLinks(app: LinksApp): AsyncGenerator<FoundLink> {
  let cursor: string | undefined;
  let count = 0;
  do {
    const page: LinkSearchPage = await findLinks(app, { order: "visits", cursor, limit: PAGE_LINKS });
    yield* page.links;
    count += page.links.length;
    cursor = page.next ?? undefined;
  } while (cursor !== undefined && count < EXPORTED_LINKS);
}

/** Lists the links that were visited in a period, with their visits in it, most visited first. */
async function listLinksOfPeriod(app: LinksApp, range: Period): Promise<FoundLink[]> {
  const found: FoundLink[] = [];
  for await (const link of listAllTimeLinks(app)) {
    // The list is not in the order of time, but a link without a visit since the start needs no further look.
    if (dayOf(link.last ?? -Infinity) < range.from) continue;
    const days = await readLinkDays(app.store.kv, link.short, range);
    const visits = days.values().reduce((sum, count) => sum + count, 0);
    if (visits > 0) found.push({ ...link, visits });
  }
  return found.sort((one, other) => other.visits - one.visits);
}

async function* toCells(rows: AsyncIterable<Row>): AsyncGenerator<string[]> {
  for await (const row of rows) yield Object.values(row).map(String);
}

/** Size of a piece in characters: each piece costs a write. */
const PIECE = 16_384;

async function* toJson(rows: AsyncIterable<Row>): AsyncGenerator<string> {
  let [text, separator] = ["[", "\n"];
  for await (const row of rows) {
    text += separator + JSON.stringify(row);
    separator = ",\n";
    if (text.length < PIECE) continue;
    yield text;
    text = "";
  }
  yield `${text}${separator === "\n" ? "" : "\n"}]\n`;
}
