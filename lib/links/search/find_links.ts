import { chunk } from "es-toolkit/array/chunk";
import { orderBy } from "es-toolkit/array/orderBy";
import type { z } from "zod";
import { yieldToEventLoop } from "@/lib/core/yield_to_event_loop.ts";
import type { Kv } from "@/lib/store/kv.ts";
import { keyAfter, toValue } from "@/lib/store/key.ts";
import { findLink } from "../actions.ts";
import { isPlausibleShort } from "../alphabet.ts";
import type { LinksApp } from "../app.ts";
import { decodePercent } from "../hostnames.ts";
import { type ClosedReason, findClosedReason, type Link, NO_LINK } from "../link_cache.ts";
import type { linkListSchema } from "../manage/link_schemas.ts";
import { linkKeys } from "../store.ts";
import { readRanks } from "../visit_log.ts";
import { inBatches, listCandidates, MAX_COMPARED } from "./candidates.ts";
import {
  INVALID_CURSOR,
  type LinkOrder,
  type LinkQuery,
  matchesFilter,
  type ParsedFilter,
  parseFilter,
} from "./link_query.ts";

/** Number of links that are read and compared before other requests are served. */
const READ_AT_ONCE = 250;
/** Time in milliseconds for indexing new links before a search. */
const CATCH_UP_MS = 50;
/** Maximum number of links that are read in their order for a page; the next page continues after them. */
const MAX_READ = 5000;
const BATCH = 100;
/** Maximum number of links of a page that are read in their order; the log of visits is read once for all of them. */
const MAX_IN_ORDER = 1000;

export interface LinkSearch extends Omit<LinkQuery, "limit"> {
  readonly limit: number;
  /** Maximum number of links that are compared, for a search that is repeated with each typed letter. */
  readonly maxCompared?: number;
}

export interface FoundLink extends Link {
  /** Why it is closed; null while it is open. */
  readonly closed: ClosedReason | null;
  readonly visits: number;
  /** Latest visit in milliseconds, or null without one. */
  readonly last: number | null;
}

export interface LinkSearchPage extends Omit<z.infer<typeof linkListSchema>, "links"> {
  readonly links: readonly FoundLink[];
}

/**
 * Searches all links. Words, tags and states are looked up in an index; without any of them, links are read in
 * their order until the page is full. The order by visits then contains visited links only.
 * @throws AppError BAD_REQUEST for an invalid cursor.
 */
export async function findLinks(app: LinksApp, search: LinkSearch): Promise<LinkSearchPage> {
  const { order = "newest", cursor, limit, maxCompared = MAX_COMPARED } = search;
  const filter = parseFilter(search);
  if (filter.isVain) return { links: [], next: null, total: 0, isComplete: true };
  // For the blocked hosts of this moment.
  await app.cache.refresh();
  const isIndexed = await app.indexer.catchUp(CATCH_UP_MS);
  if (order === "visits") await app.compactor.catchUp(CATCH_UP_MS);
  const candidates = await listCandidates(app.store.kv, filter, maxCompared);
  if (candidates === null) {
    return await readInOrder(app, { ...search, order, limit: Math.min(limit, MAX_IN_ORDER) }, filter);
  }
  const found: FoundLink[] = [];
  for (const part of chunk(candidates.shorts, READ_AT_ONCE)) {
    found.push(...await listMatching(app, part, filter, order === "visits"));
    await yieldToEventLoop();
  }
  const first = order === "visits" ? "visits" : "createdAt";
  const sorted = orderBy(found, [first, "createdAt"], [order === "oldest" ? "asc" : "desc"]);
  if (!/^\d{1,6}$/.test(cursor ?? "0")) throw INVALID_CURSOR;
  const start = Number(cursor ?? "0");
  const end = start + limit;
  return {
    links: await toFoundLinks(app, sorted.slice(start, end)),
    next: end < sorted.length ? String(end) : null,
    total: sorted.length,
    isComplete: candidates.isComplete && isIndexed,
  };
}

/**
 * Yields the links of a search on all of its pages, `limit` at most. A search for words has one page, so that links that
 * are created or visited meanwhile neither repeat nor omit others.
 */
export async function* listFoundLinks(app: LinksApp, search: LinkSearch): AsyncGenerator<FoundLink> {
  let cursor = search.cursor;
  let left = search.limit;
  do {
    const page = await findLinks(app, { ...search, cursor, limit: Math.min(left, MAX_COMPARED) });
    yield* page.links;
    left -= page.links.length;
    cursor = page.next ?? undefined;
  } while (cursor !== undefined && left > 0);
}

/** Reads links in their order until a page is full of those that fulfill a filter. */
async function readInOrder(
  app: LinksApp,
  { order, cursor, limit }: LinkSearch & { readonly order: LinkOrder },
  filter: ParsedFilter,
): Promise<LinkSearchPage> {
  const found: Link[] = [];
  const cursors = new Map<string, string>();
  let next: string | null = null;
  for await (const batch of inBatches(listInOrder(app.store.kv, order, cursor), BATCH)) {
    for (const [short, after] of batch) cursors.set(short, after);
    found.push(...await listMatching(app, batch.map(([short]) => short), filter));
    if (found.length > limit) next = cursors.get(found[limit - 1]?.short ?? "") ?? null;
    else if (cursors.size >= MAX_READ) next = batch.at(-1)?.[1] ?? null;
    if (next !== null) break;
  }
  return { links: await toFoundLinks(app, found.slice(0, limit)), next, total: null, isComplete: true };
}

/**
 * Yields the ids of links in an order, each with the cursor after it: the key of the link's entry, and the number of
 * links of the entry up to it.
 */
async function* listInOrder(
  kv: Kv,
  order: LinkOrder,
  from: string | undefined,
): AsyncGenerator<readonly [short: string, cursor: string]> {
  const isByVisits = order === "visits";
  const reverse = order !== "oldest";
  const prefix = isByVisits ? linkKeys.rank() : linkKeys.made();
  const [, number, encoded = "", count] = /^(\d{1,16})~(.+)~(\d{1,3})$/.exec(from ?? "") ?? [];
  const name = decodePercent(encoded);
  if (from !== undefined && !isPlausibleShort(name)) throw INVALID_CURSOR;
  const last = [...prefix, Number(number), name];
  const bound = reverse ? { end: keyAfter(last) } : { start: last };
  const range = from === undefined ? { prefix } : { prefix, ...bound };
  for await (
    const { key, value } of kv.list<string[]>(range, { reverse, batchSize: isByVisits ? BATCH : 10 })
  ) {
    const shorts = isByVisits ? [toValue<string>(key[2])] : reverse ? value.toReversed() : value;
    // A link that was visited meanwhile has another key.
    const skip = key[2] === name ? Number(count) : 0;
    const cursor = `${String(key[1])}~${encodeURIComponent(String(key[2]))}`;
    for (const [at, short] of shorts.entries()) if (at >= skip) yield [short, `${cursor}~${at + 1}`];
  }
}

/**
 * Returns those of some links that fulfill a filter, in the order of their ids. The visits are only counted if they are
 * needed, and where the status depends on them.
 */
async function listMatching(
  app: LinksApp,
  shorts: readonly string[],
  filter: ParsedFilter,
  needsCounts = false,
): Promise<FoundLink[]> {
  const all = await app.cache.readAll(shorts);
  const links = shorts.flatMap((short) => all.get(short) ?? []).filter((link) =>
    link.deletedAt === undefined && matchesFilter(link, filter, () => app.cache.wordsOf(link))
  );
  const isCounted = ({ maxVisits }: Link) =>
    needsCounts || filter.status !== undefined && maxVisits !== undefined;
  const found = await toFoundLinks(app, links, isCounted);
  return found.filter(({ closed }) => filter.status === undefined || (closed ?? "active") === filter.status);
}

/** Returns links with everything that is known about them; without visits if they are not counted. */
async function toFoundLinks(
  app: LinksApp,
  links: readonly Link[],
  isCounted = (_link: Link) => true,
): Promise<FoundLink[]> {
  const ranks = await readRanks(app.store.kv, links.filter(isCounted).map(({ short }) => short));
  return links.map((link) => {
    const rank = ranks.get(link.short);
    return toFoundLink(app, link, rank && { visits: rank.count, last: rank.last });
  });
}

/** Returns a link with the reason for which it is closed. */
export function toFoundLink(
  { clock }: LinksApp,
  link: Link,
  { visits, last }: Pick<FoundLink, "visits" | "last"> = { visits: 0, last: null },
): FoundLink {
  return { ...link, visits, last, closed: findClosedReason(link, clock.now(), visits) };
}

/**
 * Reads the link of an incoming id with everything that is known about it.
 * @throws AppError NOT_FOUND for an id without a link and for a deleted link.
 */
export async function getFoundLink(app: LinksApp, incoming: string): Promise<FoundLink> {
  await app.cache.refresh();
  const link = await findLink(app, incoming);
  const [found] = await toFoundLinks(app, link === null || link.deletedAt !== undefined ? [] : [link]);
  if (found === undefined) throw NO_LINK;
  return found;
}
