import { dayOf, HOUR_MS, hourOf } from "@/lib/core/clock.ts";
import type { Kv } from "@/lib/store/kv.ts";
import { type Key, readRecord, toValue } from "@/lib/store/key.ts";
import { linkKeys } from "./store.ts";
import { readWithLog } from "./visit_log.ts";

interface DayCount {
  /** Whole days since 1970 UTC. */
  readonly day: number;
  readonly count: number;
}

/** Days of a list; without `from`, all days up to `to`. */
export interface DayRange {
  readonly from?: number;
  readonly to: number;
}

/** Lists the days on which a short URL has visits, in order. */
export async function listLinkDays(kv: Kv, short: string, range: DayRange): Promise<DayCount[]> {
  const stored = () => listDays(kv, linkKeys.visitDayOf(short), range);
  const { result, logged } = await readWithLog(kv, [short], stored);
  const counts = new Map(result.map(({ day, count }) => [day, count]));
  const { from = -Infinity, to } = range;
  for (const day of (logged.get(short) ?? []).map(dayOf)) {
    if (day >= from && day <= to) counts.set(day, (counts.get(day) ?? 0) + 1);
  }
  return [...counts].map(([day, count]) => ({ day, count })).sort((one, other) => one.day - other.day);
}

/** Lists the days that have a count below `prefix`, in order. */
export async function listDays(
  kv: Kv,
  prefix: Key,
  { from = -Infinity, to }: DayRange,
): Promise<DayCount[]> {
  const days: DayCount[] = [];
  for await (const [day, count] of listSums(kv, prefix, { from, to: to + 1 })) days.push({ day, count });
  return days;
}

/** Yields the sums with numbers from `from` to before `to`, in order. */
async function* listSums(kv: Kv, prefix: Key, { from, to }: Period): AsyncGenerator<[number, number]> {
  const range = { start: [...prefix, from], end: [...prefix, to] };
  for await (const { key, value } of kv.list<Deno.KvU64>(range, { batchSize: 500 })) {
    yield [toValue<number>(key.at(-1)), Number(value.value)];
  }
}

/** Visits by hour. */
interface VisitHours {
  /** Visits by the start of the hour, in milliseconds since 1970 UTC. */
  readonly hours: readonly { readonly time: number; readonly count: number }[];
  /** Time from which all visits are counted; null if that is the whole range. */
  readonly since: number | null;
}

/** Numbers or times from `from` to before `to`; times are milliseconds since 1970 UTC. */
interface Period {
  readonly from: number;
  readonly to: number;
}

/**
 * Lists the visits of all short URLs by hour, in a period that begins and ends with an hour. The sums of earlier hours
 * than `since` are not known.
 */
export async function listVisitHours(kv: Kv, { from, to }: Period): Promise<VisitHours> {
  const first = Math.max(hourOf(from), await readRecord<number>(kv, linkKeys.visitHoursSince) ?? -Infinity);
  // The store refuses a range that ends before it starts.
  if (first >= hourOf(to)) return { hours: [], since: first * HOUR_MS };
  const hours = [];
  for await (const [hour, count] of listSums(kv, linkKeys.visitHour(), { from: first, to: hourOf(to) })) {
    hours.push({ time: hour * HOUR_MS, count });
  }
  return { hours, since: first > hourOf(from) ? first * HOUR_MS : null };
}

/** Maximum number of entries that are read: up to 500,000 visits in pages, fewer while they are not folded. */
const MAX_ENTRIES = 200;
/** Entries of different processes may overlap by this many, and by this many visits. */
const OVERLAP = 10;

/**
 * Counts the visits of a short URL in a period by hour. Their stored times are read, because its sums by hour are not
 * kept; the latest ones if there are very many.
 */
export async function countVisitHours(kv: Kv, short: string, period: Period): Promise<VisitHours> {
  const { from, to } = period;
  const { result: { counts, since }, logged } = await readWithLog(kv, [short], async () => {
    const counts = new Map<number, number>();
    let [entries, beyond, first] = [0, 0, to];
    for await (const { key, value } of listBackwards(kv, short, { end: to, limit: MAX_ENTRIES })) {
      entries++;
      first = Number(key[2]);
      if ((value.at(-1) ?? 0) < from && beyond++ >= OVERLAP) break;
      addToHours(counts, value, period);
    }
    return { counts, since: entries === MAX_ENTRIES && first > from ? first : null };
  });
  addToHours(counts, logged.get(short) ?? [], period);
  return { hours: [...counts].map(([time, count]) => ({ time, count })), since };
}

function addToHours(counts: Map<number, number>, times: Iterable<number>, { from, to }: Period): void {
  for (const time of times) {
    const hour = hourOf(time) * HOUR_MS;
    if (time >= from && time < to) counts.set(hour, (counts.get(hour) ?? 0) + 1);
  }
}

/** Lists the last entries that begin before a time. Entries may be folded meanwhile; one batch is consistent. */
function listBackwards(kv: Kv, short: string, { end, limit }: { end: number; limit: number }) {
  const range = { prefix: linkKeys.visits(short), end: linkKeys.visits(short, end) };
  return kv.list<Float64Array>(range, { reverse: true, limit, batchSize: limit });
}

const PAGE_VISITS_SHOWN = 25;

/** Start of a page of visits: a time, and the number of visits at that time to skip. */
export interface VisitCursor {
  /** Milliseconds since 1970 UTC. */
  readonly time: number;
  readonly skip: number;
}

/**
 * Returns the times of a page of a short URL's visits, latest first. Only the last entries are read, so visits close to
 * each other may be out of order where the clocks of several servers differ.
 */
export async function listLatestVisits(
  kv: Kv,
  short: string,
  cursor: VisitCursor | null,
): Promise<{ times: readonly number[]; next: VisitCursor | null }> {
  const { time, skip } = cursor ?? { time: Number.MAX_SAFE_INTEGER, skip: 0 };
  const end = skip + PAGE_VISITS_SHOWN;
  const { result, logged } = await readWithLog(kv, [short], async () => {
    const found: number[] = [];
    let beyond = 0;
    const limit = Math.min(end + 1 + OVERLAP, 500);
    for await (const { value } of listBackwards(kv, short, { end: time + 1, limit })) {
      const times = value.filter((at) => at <= time);
      found.push(...times.subarray(Math.max(0, times.length - end - 1)));
      if (found.length > end && beyond++ >= OVERLAP) break;
    }
    return found;
  });
  const earlier = (logged.get(short) ?? []).filter((at) => at <= time);
  const found = [...result, ...earlier].sort((one, other) => other - one);
  const times = found.slice(skip, end);
  if (found.length <= end) return { times, next: null };
  const last = times.at(-1) ?? 0;
  const same = times.filter((at) => at === last).length;
  return { times, next: { time: last, skip: last === time ? skip + same : same } };
}
