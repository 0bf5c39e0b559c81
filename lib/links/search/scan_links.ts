import { AppError } from "@/lib/core/errors.ts";
import type { Kv } from "@/lib/store/kv.ts";
import { keyAfter, toValue } from "@/lib/store/key.ts";
import type { LinksApp } from "../app.ts";
import { linkKeys } from "../store.ts";
import {
  type FoundLink,
  type LinkSearchPage,
  type LinkSearchRequest,
  matches,
  readLinks,
  withLastVisits,
} from "./found_links.ts";
import type { ParsedFilter } from "./link_query.ts";

/** Maximum number of links that are read for a page; the next page continues behind them. */
const MAX_READ = 5000;
/** Number of links that are read at once. */
const BATCH = 100;

/** Position in an order: the key of a pack or a rank, and the number of links of the pack to skip. */
interface ScanCursor {
  readonly first: number;
  readonly second: string;
  readonly skip: number;
}

/** A link in an order, and the position behind it. */
interface Step {
  readonly short: string;
  readonly behind: ScanCursor;
}

/**
 * Reads links in their order and keeps those that fulfill a filter, until the page is full. The order by visits
 * contains visited links only.
 * @throws AppError BAD_REQUEST for an invalid cursor.
 */
export async function scanLinks(
  app: LinksApp,
  { order, cursor, limit }: LinkSearchRequest,
  filter: ParsedFilter,
): Promise<LinkSearchPage> {
  const from = cursor === null ? null : parseCursor(cursor);
  const steps = order === "visits"
    ? listByVisits(app.store.kv, from)
    : listByCreation(app.store.kv, from, order);
  const found: FoundLink[] = [];
  let behindLast: ScanCursor | null = null;
  let read = 0;
  for await (const batch of inBatches(steps)) {
    const links = await readLinks(app, batch.map(({ short }) => short));
    const byShort = new Map(links.map((link) => [link.short, link]));
    for (const { short, behind } of batch) {
      const link = byShort.get(short);
      if (link === undefined || !matches(link, filter)) continue;
      if (found.length === limit) return await toPage(app, found, behindLast);
      found.push(link);
      behindLast = behind;
    }
    read += batch.length;
    if (read >= MAX_READ) return await toPage(app, found, batch.at(-1)?.behind ?? null);
  }
  return await toPage(app, found, null);
}

async function toPage(
  app: LinksApp,
  found: readonly FoundLink[],
  next: ScanCursor | null,
): Promise<LinkSearchPage> {
  return {
    links: await withLastVisits(app, found),
    next: next === null ? null : `${next.first}.${encodeURIComponent(next.second)}.${next.skip}`,
    total: null,
    isComplete: true,
  };
}

function parseCursor(cursor: string): ScanCursor {
  const [, first, second, skip] = /^(\d{1,15})\.([\w%.~!*'()-]{1,1200})\.(\d{1,3})$/.exec(cursor) ?? [];
  if (first === undefined || second === undefined || skip === undefined || !isDecodable(second)) {
    throw new AppError("BAD_REQUEST", "Invalid page cursor.");
  }
  return { first: Number(first), second: decodeURIComponent(second), skip: Number(skip) };
}

function isDecodable(text: string): boolean {
  try {
    return decodeURIComponent(text) !== "";
  } catch {
    return false;
  }
}

async function* inBatches(steps: AsyncIterable<Step>): AsyncGenerator<Step[]> {
  let batch: Step[] = [];
  for await (const step of steps) {
    batch.push(step);
    if (batch.length === BATCH) {
      yield batch;
      batch = [];
    }
  }
  if (batch.length > 0) yield batch;
}

/** Lists visited links, most visited first. */
async function* listByVisits(kv: Kv, from: ScanCursor | null): AsyncGenerator<Step> {
  const prefix = [...linkKeys.ranks];
  const selector = from === null ? { prefix } : { prefix, end: [...linkKeys.rank(from.first, from.second)] };
  for await (const { key } of kv.list(selector, { reverse: true, batchSize: BATCH })) {
    const [count, short] = [toValue<number>(key[1]), toValue<string>(key[2])];
    yield { short, behind: { first: count, second: short, skip: 0 } };
  }
}

/** Lists links by their creation. */
async function* listByCreation(
  kv: Kv,
  from: ScanCursor | null,
  order: "newest" | "oldest",
): AsyncGenerator<Step> {
  const reverse = order === "newest";
  let skip = from?.skip ?? 0;
  for await (
    const { key, value } of kv.list<string[]>(packsFrom(from, reverse), { reverse, batchSize: 10 })
  ) {
    const [first, second] = [toValue<number>(key[1]), toValue<string>(key[2])];
    const shorts = reverse ? value.toReversed() : value;
    for (let at = skip; at < shorts.length; at++) {
      yield { short: shorts[at] ?? "", behind: { first, second, skip: at + 1 } };
    }
    skip = 0;
  }
}

function packsFrom(from: ScanCursor | null, reverse: boolean): Deno.KvListSelector {
  const prefix = [...linkKeys.linksMade];
  if (from === null) return { prefix };
  const key = linkKeys.linksMadeAt(from.first, from.second);
  return reverse ? { prefix, end: [...keyAfter(key)] } : { prefix, start: [...key] };
}
