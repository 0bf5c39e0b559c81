import { AppError } from "@/lib/core/errors.ts";
import { readMany } from "@/lib/store/read_many.ts";
import { isPlausibleShort } from "../alphabet.ts";
import type { LinksApp } from "../app.ts";
import { type ClosedReason, findClosedReason, limitsOf } from "../link_state.ts";
import { linkKeys, type LinkRecord } from "../store.ts";
import { readRanks, readVisitCounts } from "../visit_log.ts";
import type { SearchBounds } from "./candidates.ts";
import {
  type LinkFilter,
  type LinkOrder,
  type LinkStatus,
  matchesFilter,
  type ParsedFilter,
} from "./link_query.ts";

/** A search for links. */
export interface LinkSearchRequest {
  readonly filter: LinkFilter;
  readonly order: LinkOrder;
  /** The `next` of the previous page; null for the first. */
  readonly cursor: string | null;
  /** Maximum number of links on the page. */
  readonly limit: number;
  /** Bounds of a search that is repeated with each typed letter; without them, the search is as full as it can be. */
  readonly bounds?: SearchBounds;
}

/** A link with everything that is known about it. */
export interface FoundLink {
  readonly short: string;
  readonly record: LinkRecord;
  /** Why it is closed; null while it is open. */
  readonly closed: ClosedReason | null;
  readonly visits: number;
  /** Latest visit in milliseconds, or null without one. */
  readonly last: number | null;
}

/** A page of a search. */
export interface LinkSearchPage {
  readonly links: readonly FoundLink[];
  readonly next: string | null;
  /** Number of all links found; null when they are not counted. */
  readonly total: number | null;
  /**
   * Whether all links were searched; false when more links have all words than are compared, or when new links are
   * not in the index yet.
   */
  readonly isComplete: boolean;
}

/** Whether a link fulfills a filter without words. */
export function matches({ record, closed }: FoundLink, filter: ParsedFilter): boolean {
  return hasStatus(closed, filter.status) && matchesFilter({ record, words: [] }, filter);
}

/** A link that fulfills a filter; the number of visits is null unless the search needs it. */
export interface MatchingLink {
  readonly short: string;
  readonly record: LinkRecord;
  readonly visits: number | null;
}

/**
 * Returns those of some links that fulfill a filter, in the order of their ids. The visits are only counted for the
 * order by visits, and where the status depends on them.
 */
export async function listMatching(
  app: LinksApp,
  shorts: readonly string[],
  { filter, order }: { readonly filter: ParsedFilter; readonly order: LinkOrder },
): Promise<MatchingLink[]> {
  const stored = await app.cache.readStored(shorts);
  const fitting = stored.flatMap((link, at) => {
    if (link === null || link.record.deletedAt !== undefined || !matchesFilter(link, filter)) return [];
    return [{ short: shorts[at] ?? "", record: link.record, visits: null }];
  });
  const needsCount = ({ record }: MatchingLink) =>
    order === "visits" || filter.status !== null && record.maxVisits !== undefined;
  const links = await countVisits(app, fitting, needsCount);
  return filter.status === null
    ? links
    : links.filter(({ record, visits }) =>
      hasStatus(closedReasonOf(app, record, visits ?? 0), filter.status)
    );
}

/** Adds the number of visits to links that need it and have none. */
async function countVisits(
  { store }: LinksApp,
  links: readonly MatchingLink[],
  needsCount: (link: MatchingLink) => boolean,
): Promise<MatchingLink[]> {
  const counted = links.filter((link) => link.visits === null && needsCount(link)).map(({ short }) => short);
  if (counted.length === 0) return [...links];
  const counts = await readVisitCounts(store.kv, counted);
  const visitsByShort = new Map(counted.map((short, at) => [short, counts[at] ?? 0]));
  return links.map((link) => ({ ...link, visits: visitsByShort.get(link.short) ?? link.visits }));
}

/** Returns links with everything that is known about them. */
export async function completeLinks(app: LinksApp, links: readonly MatchingLink[]): Promise<FoundLink[]> {
  const counted = await countVisits(app, links, () => true);
  const found = counted.map(({ short, record, visits }) =>
    toFoundLink(app, { short, record, visits: visits ?? 0, last: null })
  );
  return await withLastVisits(app, found);
}

function hasStatus(closed: ClosedReason | null, status: LinkStatus | null): boolean {
  if (status === null) return true;
  return status === "active" ? closed === null : closed === status;
}

/** Reads links in the order of their ids, without their latest visits; leaves out those without a record. */
export async function readLinks(app: LinksApp, shorts: readonly string[]): Promise<FoundLink[]> {
  const { kv } = app.store;
  const records = await readMany<LinkRecord>(kv, shorts.map((short) => linkKeys.link(short)));
  const counts = await readVisitCounts(kv, shorts);
  return shorts.flatMap((short, at) => {
    const record = records[at]?.value ?? null;
    if (record === null || record.deletedAt !== undefined) return [];
    return [toFoundLink(app, { short, record, visits: counts[at] ?? 0, last: null })];
  });
}

/** Returns a link with the reason for which it is closed. */
export function toFoundLink(app: LinksApp, link: Omit<FoundLink, "closed">): FoundLink {
  const { short, record, visits, last } = link;
  return { short, record, visits, last, closed: closedReasonOf(app, record, visits) };
}

function closedReasonOf({ cache, clock }: LinksApp, record: LinkRecord, visits: number): ClosedReason | null {
  const reason = findClosedReason(
    { limits: limitsOf(record), isBlocked: cache.isBlocked(record.url) },
    clock.now(),
  );
  return reason ?? (visits >= (record.maxVisits ?? Infinity) ? "used_up" : null);
}

/** Adds the time of the latest visit to each link. */
export async function withLastVisits(app: LinksApp, links: readonly FoundLink[]): Promise<FoundLink[]> {
  const ranks = await readRanks(app.store.kv, links.map(({ short }) => short));
  return links.map((link) => ({ ...link, last: ranks.get(link.short)?.last ?? null }));
}

/**
 * Reads one link with everything that is known about it.
 * @throws AppError NOT_FOUND for an id without a link and for a deleted link.
 */
export async function getFoundLink(app: LinksApp, short: string): Promise<FoundLink> {
  await app.cache.refresh();
  // The store holds no key of some kilobytes.
  const shorts = isPlausibleShort(short) ? [short] : [];
  const [link] = await withLastVisits(app, await readLinks(app, shorts));
  if (link === undefined) throw new AppError("NOT_FOUND", "No short link has this ID.");
  return link;
}
