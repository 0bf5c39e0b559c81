import { dayOf } from "@/lib/core/days.ts";
import { AppError } from "@/lib/core/errors.ts";
import type { Kv } from "@/lib/store/kv.ts";
import { type Key, keyAfter, toValue } from "@/lib/store/key.ts";
import { listPage } from "@/lib/store/page.ts";
import { findLink } from "./actions.ts";
import type { LinksApp } from "./app.ts";
import type { Link } from "./link_cache.ts";
import { linkKeys } from "./store.ts";
import { readRanks, readWithLog } from "./visit_log.ts";

/** Number of links on a page. */
const PAGE_LINKS = 25;
/** Number of pages that are read at most to find a link that is not deleted. */
const MAX_PAGES = 20;

/** A listed link with its visits. */
export interface ListedLink {
  readonly short: string;
  readonly url: string;
  /** Milliseconds since 1970 UTC. */
  readonly createdAt: number;
  readonly visits: number;
  /** Latest visit in milliseconds, or null without one. */
  readonly last: number | null;
}

/** A page of links. */
export interface LinkPage {
  readonly links: readonly ListedLink[];
  /** Cursor of the next page, or null on the last. */
  readonly next: string | null;
}

/**
 * Lists links by visits, most first; the order among equals is arbitrary.
 * @throws AppError BAD_REQUEST for an invalid cursor.
 */
export async function listTopLinks(app: LinksApp, cursor: string | null): Promise<LinkPage> {
  let page: LinkPage = { links: [], next: cursor };
  for (let pages = 0; pages < MAX_PAGES; pages++) {
    page = await listRanked(app, page.next);
    if (page.links.length > 0 || page.next === null) break;
  }
  return page;
}

async function listRanked(app: LinksApp, cursor: string | null): Promise<LinkPage> {
  const request = { limit: PAGE_LINKS, cursor, reverse: true };
  const { entries, next } = await listPage<number>(app.store.kv, linkKeys.ranks, request);
  const ranked = entries.map(({ key, value }) => ({
    short: toValue<string>(key[2]),
    visits: toValue<number>(key[1]),
    last: value,
  }));
  return { links: await withLinks(app, ranked), next };
}

interface Ranked {
  readonly short: string;
  readonly visits: number;
  readonly last: number | null;
}

/** Returns the links of ranked ids in their order; leaves out ids without a link and deleted links. */
async function withLinks(app: LinksApp, ranked: readonly Ranked[]): Promise<ListedLink[]> {
  const links = await Promise.all(ranked.map(({ short }) => app.cache.read(short)));
  return ranked.flatMap((row, at) => {
    const link = links[at];
    if (link === undefined || link === null || link.limits?.isDeleted === true) return [];
    return [{ ...row, url: link.url, createdAt: link.createdAt }];
  });
}

/**
 * Lists links by creation, newest first.
 * @throws AppError BAD_REQUEST for an invalid cursor.
 */
export async function listNewestLinks(app: LinksApp, cursor: string | null): Promise<LinkPage> {
  const from = cursor === null ? null : readCursor(cursor);
  const selector = from === null
    ? { prefix: [...linkKeys.linksMade] }
    : { prefix: [...linkKeys.linksMade], end: [...keyAfter(linkKeys.linksMadeAt(from.time, from.batch))] };
  const options = { limit: PAGE_LINKS + 1, batchSize: PAGE_LINKS + 1, reverse: true };
  const shorts: string[] = [];
  let skip = from?.skip ?? 0;
  for await (const { key, value } of app.store.kv.list<string[]>(selector, options)) {
    const room = PAGE_LINKS - shorts.length;
    const rest = value.toReversed().slice(skip);
    shorts.push(...rest.slice(0, room));
    if (rest.length > room) {
      const next = `${String(key[1])}.${String(key[2])}.${skip + room}`;
      return { links: await ofShorts(app, shorts), next };
    }
    skip = 0;
  }
  return { links: await ofShorts(app, shorts), next: null };
}

/** Start of a page: a pack, and the number of its links to skip. */
interface PackCursor {
  readonly time: number;
  readonly batch: string;
  readonly skip: number;
}

function readCursor(cursor: string): PackCursor {
  const [, time, batch, skip] = /^(\d{1,15})\.([\w-]{1,40})\.(\d{1,3})$/.exec(cursor) ?? [];
  if (time === undefined || batch === undefined || skip === undefined) {
    throw new AppError("BAD_REQUEST", "Invalid page cursor.");
  }
  return { time: Number(time), batch, skip: Number(skip) };
}

async function ofShorts(app: LinksApp, shorts: readonly string[]): Promise<ListedLink[]> {
  const ranks = await readRanks(app.store.kv, shorts);
  return await withLinks(
    app,
    shorts.map((short) => {
      const rank = ranks.get(short);
      return { short, visits: rank?.count ?? 0, last: rank?.last ?? null };
    }),
  );
}

/**
 * Returns the link that a pasted text names: a short link with or without scheme, or the id, raw or
 * percent-encoded; null for none.
 */
export async function findPastedLink(app: LinksApp, text: string): Promise<Link | null> {
  const host = app.config.baseUrl.replace(/^https?:\/\//, "");
  const path = text.replace(/^https?:\/\//i, "").replace(/[?#].*/s, "");
  const id = path.toLowerCase().startsWith(`${host.toLowerCase()}/`) ? path.slice(host.length + 1) : text;
  for (const incoming of new Set([id, decode(id)])) {
    const link = await findLink(app, incoming.replace(/^\/|\/stats$|\/$/g, ""));
    if (link !== null) return link;
  }
  return null;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Visits or new links of a day. */
export interface DayCount {
  /** Whole days since 1970 UTC. */
  readonly day: number;
  readonly count: number;
}

/** Days of a list; without `from`, all days up to `to`. */
export interface DayRange {
  readonly from?: number;
  readonly to: number;
}

/** Lists the days from `from` to `to` on which a short URL has visits, in order. */
export async function listLinkDays(kv: Kv, short: string, range: DayRange): Promise<DayCount[]> {
  const stored = () => listDays(kv, linkKeys.visitDaysOf(short), range);
  const { result, logged } = await readWithLog(kv, [short], stored);
  const counts = new Map(result.map(({ day, count }) => [day, count]));
  for (const day of (logged.get(short) ?? []).map(dayOf)) {
    const isWanted = day >= (range.from ?? -Infinity) && day <= range.to;
    if (isWanted) counts.set(day, (counts.get(day) ?? 0) + 1);
  }
  return [...counts].map(([day, count]) => ({ day, count })).sort((one, other) => one.day - other.day);
}

/** Lists the days from `from` to `to` that have a count, in order; all days up to `to` without `from`. */
export async function listDays(
  kv: Kv,
  prefix: Key,
  { from = -Infinity, to }: DayRange,
): Promise<DayCount[]> {
  const [start, end] = [[...prefix, from], [...prefix, to + 1]];
  const days: DayCount[] = [];
  for await (const { key, value } of kv.list<Deno.KvU64>({ start, end }, { batchSize: 500 })) {
    days.push({ day: toValue<number>(key.at(-1)), count: Number(value.value) });
  }
  return days;
}
