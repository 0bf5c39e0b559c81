import { chunk } from "es-toolkit/array/chunk";
import { AppError } from "@/lib/core/errors.ts";
import { yieldToEventLoop } from "@/lib/core/yield_to_event_loop.ts";
import type { LinksApp } from "../app.ts";
import { listCandidates } from "./candidates.ts";
import {
  completeLinks,
  type LinkSearchPage,
  type LinkSearchRequest,
  listMatching,
  type MatchingLink,
} from "./found_links.ts";
import { type LinkOrder, parseFilter } from "./link_query.ts";
import { scanLinks } from "./scan_links.ts";

/** Number of links that are read and compared before other requests are served. */
const READ_AT_ONCE = 250;
/** Time in milliseconds for indexing new links before a search. */
const CATCH_UP_MS = 50;

/**
 * Searches all links. Words, tags and states are looked up in an index; without any of them, links are read in
 * their order until the page is full.
 * @throws AppError BAD_REQUEST for an invalid cursor.
 */
export async function findLinks(app: LinksApp, request: LinkSearchRequest): Promise<LinkSearchPage> {
  const filter = parseFilter(request.filter);
  if (filter.isVain) return { links: [], next: null, total: 0, isComplete: true };
  // For the blocked hosts of this moment.
  await app.cache.refresh();
  const isIndexed = await app.indexer.catchUp(CATCH_UP_MS);
  if (request.order === "visits") await app.compactor.catchUp(CATCH_UP_MS);
  const candidates = await listCandidates(app.store.kv, filter, request.bounds);
  if (candidates === null) return await scanLinks(app, request, filter);
  const { order } = request;
  const found: MatchingLink[] = [];
  for (const part of chunk(candidates.shorts, READ_AT_ONCE)) {
    found.push(...await listMatching(app, part, { filter, order }));
    await yieldToEventLoop();
  }
  const sorted = found.sort(COMPARE[order]);
  const start = readOffset(request.cursor);
  const end = start + request.limit;
  const page = sorted.slice(start, end);
  return {
    links: await completeLinks(app, page),
    next: end < sorted.length ? String(end) : null,
    total: sorted.length,
    isComplete: candidates.isComplete && isIndexed,
  };
}

const COMPARE: Readonly<Record<LinkOrder, (one: MatchingLink, other: MatchingLink) => number>> = {
  newest: (one, other) => other.record.createdAt - one.record.createdAt,
  oldest: (one, other) => one.record.createdAt - other.record.createdAt,
  visits: (one, other) =>
    (other.visits ?? 0) - (one.visits ?? 0) || other.record.createdAt - one.record.createdAt,
};

function readOffset(cursor: string | null): number {
  if (cursor === null) return 0;
  if (!/^\d{1,6}$/.test(cursor)) throw new AppError("BAD_REQUEST", "Invalid page cursor.");
  return Number(cursor);
}
