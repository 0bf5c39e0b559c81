import { dayOf, HOUR_MS, hourOf } from "@/lib/core/days.ts";
import type { Kv } from "@/lib/store/kv.ts";
import { type Key, readRecord, toValue } from "@/lib/store/key.ts";
import type { LinksApp } from "./app.ts";
import { listLinks } from "./search/find_links.ts";
import { linkKeys } from "./store.ts";
import { readWithLog } from "./visit_log.ts";

/** Number of links on a page. */
const PAGE_LINKS = 25;

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
 * Lists visited links, most visited first; the order among equals is arbitrary.
 * @throws AppError BAD_REQUEST for an invalid cursor.
 */
export async function listTopLinks(app: LinksApp, cursor: string | null): Promise<LinkPage> {
  const { links, next } = await listLinks(app, { order: "visits", cursor, limit: PAGE_LINKS });
  return {
    links: links.map(({ short, record: { url, createdAt }, visits, last }) => ({
      ...{ short, url, createdAt, visits, last },
    })),
    next,
  };
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

/** Visits in an hour. */
export interface HourCount {
  /** Start of the hour in milliseconds since 1970 UTC. */
  readonly time: number;
  readonly count: number;
}

/** Visits by hour. */
export interface VisitHours {
  readonly hours: readonly HourCount[];
  /** Time from which all visits are counted; null if that is the whole range. */
  readonly since: number | null;
}

/** A time from `from` to before `to`, in milliseconds since 1970 UTC. */
interface Period {
  readonly from: number;
  readonly to: number;
}

/** Maximum number of entries that are read: up to 500,000 visits in pages, fewer while they are not folded. */
const MAX_ENTRIES = 200;
/** Entries of different processes may overlap by this many, and by this many visits. */
const OVERLAP = 10;

/**
 * Lists the visits of all short URLs by hour, from `from` to before `to`, which begin an hour. The sums of earlier hours
 * than `since` are not known.
 */
export async function listVisitHours(kv: Kv, { from, to }: Period): Promise<VisitHours> {
  const since = await readRecord<number>(kv, linkKeys.visitHoursSince);
  const first = Math.max(hourOf(from), since ?? -Infinity);
  const hours: HourCount[] = [];
  // The store refuses a range that ends before it starts.
  if (first >= hourOf(to)) return { hours, since: first * HOUR_MS };
  const range = { start: [...linkKeys.visitHours, first], end: [...linkKeys.visitHours, hourOf(to)] };
  for await (const { key, value } of kv.list<Deno.KvU64>(range, { batchSize: 200 })) {
    hours.push({ time: toValue<number>(key[1]) * HOUR_MS, count: Number(value.value) });
  }
  return { hours, since: first > hourOf(from) ? first * HOUR_MS : null };
}

/**
 * Counts the visits of a short URL from `from` to before `to` by hour. Their stored times are read, because its sums by
 * hour are not kept; the latest ones if there are very many.
 */
export async function countVisitHours(kv: Kv, short: string, period: Period): Promise<VisitHours> {
  const { result, logged } = await readWithLog(kv, [short], () => countStored(kv, short, period));
  const { hours, since } = result;
  for (const time of logged.get(short) ?? []) addToHour(hours, time, period);
  return { hours: [...hours].map(([time, count]) => ({ time, count })), since };
}

/** Counts the visits that left the log, by the start of the hour. */
async function countStored(kv: Kv, short: string, { from, to }: Period) {
  const hours = new Map<number, number>();
  let [entries, beyond, first] = [0, 0, to];
  for await (const { key, value } of listBackwards(kv, short, { end: to, limit: MAX_ENTRIES })) {
    entries++;
    first = Number(key[2]);
    if ((value.at(-1) ?? 0) < from && beyond++ >= OVERLAP) break;
    for (const time of value) addToHour(hours, time, { from, to });
  }
  const isCut = entries === MAX_ENTRIES && first > from;
  return { hours, since: isCut ? first : null };
}

/** Lists the last entries that begin before a time. Entries may be folded meanwhile; one batch is consistent. */
function listBackwards(
  kv: Kv,
  short: string,
  { end, limit }: { readonly end: number; readonly limit: number },
) {
  const prefix = [...linkKeys.visitsOf(short)];
  return kv.list<Float64Array>({ prefix, end: [...prefix, end] }, { reverse: true, limit, batchSize: limit });
}

function addToHour(hours: Map<number, number>, time: number, { from, to }: Period): void {
  if (time < from || time >= to) return;
  const hour = Math.floor(time / HOUR_MS) * HOUR_MS;
  hours.set(hour, (hours.get(hour) ?? 0) + 1);
}

/** Number of visits on a page. */
const PAGE_VISITS_SHOWN = 25;

/** Start of a page of visits: a time, and the number of visits at that time to skip. */
export interface VisitCursor {
  /** Milliseconds since 1970 UTC. */
  readonly time: number;
  readonly skip: number;
}

/** A page of visits. */
export interface VisitPage {
  /** Times in milliseconds, latest first. */
  readonly times: readonly number[];
  readonly next: VisitCursor | null;
}

/**
 * Returns a page of a short URL's visits, latest first. Only the last entries are read, so visits close to
 * each other may be out of order where the clocks of several servers differ.
 */
export async function listLatestVisits(
  kv: Kv,
  short: string,
  cursor: VisitCursor | null,
): Promise<VisitPage> {
  const { time, skip } = cursor ?? { time: Number.MAX_SAFE_INTEGER, skip: 0 };
  const needed = skip + PAGE_VISITS_SHOWN + 1;
  const { result, logged } = await readWithLog(kv, [short], () => listStored(kv, short, { time, needed }));
  const earlier = (logged.get(short) ?? []).filter((at) => at <= time);
  const found = [...result, ...earlier].sort((one, other) => other - one);
  const times = found.slice(skip, needed);
  const shown = times.slice(0, PAGE_VISITS_SHOWN);
  return { times: shown, next: times.length > shown.length ? cursorBehind(shown, { time, skip }) : null };
}

/** Returns at least the latest `needed` visits up to a time, of those that left the log, in any order. */
async function listStored(
  kv: Kv,
  short: string,
  { time, needed }: { time: number; needed: number },
): Promise<number[]> {
  const found: number[] = [];
  let beyond = 0;
  const limit = Math.min(needed + OVERLAP, 500);
  for await (const { value } of listBackwards(kv, short, { end: time + 1, limit })) {
    const times = value.filter((at) => at <= time);
    found.push(...times.subarray(Math.max(0, times.length - needed)));
    if (found.length >= needed && beyond++ >= OVERLAP) break;
  }
  return found;
}

function cursorBehind(shown: readonly number[], before: VisitCursor): VisitCursor {
  const last = shown.at(-1) ?? 0;
  const skip = shown.filter((time) => time === last).length;
  return { time: last, skip: last === before.time ? before.skip + skip : skip };
}
