import type { Context } from "fresh";
import { createTimestamper, DAY_MS, dayOf } from "@/lib/core/clock.ts";
import { AppError } from "@/lib/core/errors.ts";
import type { State } from "@/lib/services/services.ts";
import type { LinksApp } from "@/lib/links/app.ts";
import { toShortLink } from "@/lib/links/alphabet.ts";
import { type FoundLink, getFoundLink, listFoundLinks } from "@/lib/links/search/find_links.ts";
import { readSums } from "@/lib/links/stats.ts";
import { linkKeys } from "@/lib/links/store.ts";
import type { Kv } from "@/lib/store/kv.ts";
import { type ChartSpan, readChartRange, toChartSpan, toDate, toTimeChart } from "../charts/time_chart.ts";
import { toCsvDownload, toDownload } from "../csv.ts";
import { readVisitDays, readVisitHours, VISIT_CHOICES } from "../pages/stats/visit_chart.tsx";

/** Maximum number of links in an export, most visited first. */
export const EXPORTED_LINKS = 100_000;

const FORMATS = ["csv", "json"] as const;

type Row = Readonly<Record<string, string | number>>;

/** Subject and period of an export. */
interface ExportScope {
  readonly app: LinksApp;
  /** The short URL; null for all of the server. */
  readonly short: string | null;
  /** The span that the chart of the period shows; all days begin with `-Infinity`. */
  readonly span: ChartSpan;
}

interface ExportFile {
  readonly columns: readonly string[];
  readonly list: (scope: ExportScope) => AsyncIterable<Row>;
}

const hours = { columns: ["time", "visits"], list: listHourRows };
/** Files of the server, and of one link, by their names in addresses. */
const SERVER_FILES: Readonly<Record<string, ExportFile>> = {
  days: { columns: ["date", "visits", "urls"], list: listDayRows },
  hours,
  urls: {
    columns: ["rank", "short_url", "long_url", "visits", "last_visit", "created"],
    list: listLinkRows,
  },
};
const LINK_FILES: typeof SERVER_FILES = {
  days: { columns: ["date", "visits"], list: listDayRows },
  hours,
};

/**
 * Streams the statistics of a period as a file: days or hours with their visits, or the most visited URLs; with `short`,
 * those of one link. The period is that of the page's address; all days without one.
 * @throws AppError BAD_REQUEST for another `what` or `format`, or hours of a long period; NOT_FOUND.
 */
export async function exportStats(
  { state, url: { searchParams: query } }: Context<State>,
): Promise<Response> {
  const { links: app, clock } = state.app;
  const incoming = query.get("short");
  const files = incoming === null ? SERVER_FILES : LINK_FILES;
  const what = query.get("what") ?? "days";
  const file = Object.hasOwn(files, what) ? files[what] : undefined;
  const format = FORMATS.find((name) => name === (query.get("format") ?? "csv"));
  if (file === undefined || format === undefined) {
    const known = Object.keys(files).join(", what=");
    throw new AppError(
      "BAD_REQUEST",
      `Invalid export. Use one of what=${known}, and format=csv or format=json.`,
    );
  }
  const span = readSpan(query, what, clock.now());
  if (what === "hours" && span.unit !== "hour") {
    throw new AppError("BAD_REQUEST", "Only periods of up to two days are exported by hour.");
  }
  const short = incoming === null ? null : (await getFoundLink(app, incoming)).short;
  const rows = file.list({ app, short, span });
  const name = `sotto-${what}-${toDate(clock.now())}.${format}`;
  return format === "json"
    ? toDownload(name, "application/json", toJson(rows))
    : toCsvDownload({ name, columns: file.columns, rows: toCells(rows) });
}

function readSpan(query: URLSearchParams, what: string, now: number): ChartSpan {
  const isChosen = ["days", "from", "to"].some((name) => query.has(name));
  const range = readChartRange(isChosen ? query : new URLSearchParams("days=all"), VISIT_CHOICES, now);
  const span = toChartSpan(what === "hours" ? { ...range, grouping: "hour" } : range);
  return range.start === null ? { ...span, start: -Infinity } : span;
}

/** Returns the days of a span. */
function toDays({ start, end }: ChartSpan) {
  return { from: dayOf(start), to: dayOf(end - 1) + 1 };
}

async function* listDayRows({ app: { store: { kv } }, short, span }: ExportScope): AsyncGenerator<Row> {
  const days = toDays(span);
  const [visits, made] = await Promise.all([
    readVisitDays(kv, short, days),
    short === null ? readSums(kv, linkKeys.linkDay(), days) : null,
  ]);
  const first = Math.min(...visits.keys(), ...made?.keys() ?? [], days.to - 1);
  for (let day = days.from === -Infinity ? first : days.from; day < days.to; day++) {
    const urls = made === null ? {} : { urls: made.get(day) ?? 0 };
    yield { date: toDate(day * DAY_MS), visits: visits.get(day) ?? 0, ...urls };
  }
}

/** Reads the visits by hour of a span; a file counts all of a link, of which its page counts the latest ones. */
function readAllHours(kv: Kv, short: string | null, { start, end }: ChartSpan) {
  return readVisitHours(kv, short, { from: start, to: end }, Infinity);
}

/** Lists the hours of a span whose visits are all known. */
async function* listHourRows({ app: { store: { kv } }, short, span }: ExportScope): AsyncGenerator<Row> {
  const { hours, since } = await readAllHours(kv, short, span);
  for (const { start, count: visits } of toTimeChart(hours, span).points) {
    if (since === null || start >= since) yield { time: new Date(start).toISOString(), visits };
  }
}

async function* listLinkRows({ app, span }: ExportScope): AsyncGenerator<Row> {
  const timestamp = createTimestamper();
  let rank = 0;
  const links = span.start === -Infinity ? listVisitedLinks(app) : await listLinksOfSpan(app, span);
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

function listVisitedLinks(app: LinksApp): AsyncGenerator<FoundLink> {
  return listFoundLinks(app, { order: "visits", limit: EXPORTED_LINKS });
}

/** Lists the links that were visited in a span, with their visits in it, most visited first. */
async function listLinksOfSpan(app: LinksApp, span: ChartSpan): Promise<FoundLink[]> {
  const found: FoundLink[] = [];
  for await (const link of listVisitedLinks(app)) {
    // The list is not in the order of time, but a link without a visit since the start needs no further look.
    if ((link.last ?? -Infinity) < span.start) continue;
    const visits = await countVisits(app, link.short, span);
    if (visits > 0) found.push({ ...link, visits });
  }
  return found.sort((one, other) => other.visits - one.visits);
}

async function countVisits({ store: { kv } }: LinksApp, short: string, span: ChartSpan): Promise<number> {
  const counts = span.unit === "hour"
    ? (await readAllHours(kv, short, span)).hours.map(({ count }) => count)
    : [...(await readVisitDays(kv, short, toDays(span))).values()];
  return counts.reduce((sum, count) => sum + count, 0);
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
