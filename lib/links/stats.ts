import { type Clock, dayOf, HOUR_MS, hourOf, systemClock } from "@/lib/core/clock.ts";
import type { Kv } from "@/lib/store/kv.ts";
import { type Key, readCount, readRecord, toValue } from "@/lib/store/key.ts";
import { INVALID_CURSOR } from "./search/link_query.ts";
import { linkKeys, readInstanceCounts } from "./store.ts";
import { readWithLog } from "./visit_log.ts";

/** Reads both totals, and the visits of the current day, UTC. */
export async function readLiveFigures(kv: Kv, now: number) {
  const [counts, today] = await Promise.all([
    readInstanceCounts(kv),
    readCount(kv, linkKeys.visitDay(dayOf(now))),
  ]);
  return { ...counts, today: Number(today) };
}

/** Milliseconds for which live figures are shared; less than the interval at which they are sent. */
const SHARED_MS = 900;

/** Returns a function that reads the live figures; callers at about the same time share one reading. */
export function createFiguresReader(kv: Kv, clock: Clock): () => ReturnType<typeof readLiveFigures> {
  let readAt = -Infinity;
  let figures: ReturnType<typeof readLiveFigures>;
  return () => {
    const now = systemClock.monotonic();
    if (now - readAt >= SHARED_MS) [readAt, figures] = [now, readLiveFigures(kv, clock.now())];
    return figures;
  };
}

/** Days, hours or times from `from` to before `to`; times are milliseconds since 1970 UTC. */
export interface Period {
  readonly from: number;
  readonly to: number;
}

/** Reads the sums below `prefix`, in the order of their days or hours. */
export async function readSums(kv: Kv, prefix: Key, { from, to }: Period): Promise<Map<number, number>> {
  const sums = new Map<number, number>();
  const range = { start: [...prefix, from], end: [...prefix, to] };
  for await (const { key, value } of kv.list<Deno.KvU64>(range, { batchSize: 500 })) {
    sums.set(toValue<number>(key.at(-1)), Number(value.value));
  }
  return sums;
}

/** Reads the visits of a short URL by day, in order. */
export async function readLinkDays(kv: Kv, short: string, period: Period): Promise<Map<number, number>> {
  const stored = () => readSums(kv, linkKeys.visitDayOf(short), period);
  const { result: days, logged } = await readWithLog(kv, [short], stored);
  for (const day of (logged.get(short) ?? []).map(dayOf)) {
    if (day >= period.from && day < period.to) days.set(day, (days.get(day) ?? 0) + 1);
  }
  return new Map([...days].sort(([one], [other]) => one - other));
}

/**
 * Lists the visits of all short URLs by the starts of their hours, in a period that begins and ends with an hour. The
 * sums of earlier hours than `since` are not known; null if all are known.
 */
export async function listVisitHours(kv: Kv, { from, to }: Period) {
  const first = Math.max(hourOf(from), await readRecord<number>(kv, linkKeys.visitHoursSince) ?? -Infinity);
  // The store refuses a range that ends before it starts.
  if (first >= hourOf(to)) return { hours: [], since: first * HOUR_MS };
  const sums = await readSums(kv, linkKeys.visitHour(), { from: first, to: hourOf(to) });
  const hours = Array.from(sums, ([hour, count]) => ({ time: hour * HOUR_MS, count }));
  return { hours, since: first > hourOf(from) ? first * HOUR_MS : null };
}

/** Number of entries that a page reads at most: up to 500,000 visits in pages, fewer while they are not folded. */
const MAX_ENTRIES = 200;
/** Entries of different processes may overlap by this many, and by this many visits. */
const OVERLAP = 10;

/**
 * Counts the visits of a short URL in a period like `listVisitHours`. Their stored times are read, because there are no
 * sums by hour of a link; those of the latest `maxEntries` if there are more.
 */
export async function countVisitHours(kv: Kv, short: string, period: Period, maxEntries = MAX_ENTRIES) {
  const { from, to } = period;
  const { entries, logged } = await readLatestEntries(kv, short, { ...period, limit: maxEntries });
  const counts = new Map<number, number>();
  for (const times of [...entries, logged]) {
    for (const time of times) {
      const hour = hourOf(time) * HOUR_MS;
      if (time >= from && time < to) counts.set(hour, (counts.get(hour) ?? 0) + 1);
    }
  }
  const first = entries.at(-1)?.[0] ?? to;
  return {
    hours: Array.from(counts, ([time, count]) => ({ time, count })),
    since: entries.length === maxEntries && first > from ? first : null,
  };
}

/**
 * Reads the last entries of a short URL that begin before `to`, the latest one first, as far as they may end at `from` or
 * later; and its visits in the log. All are ascending.
 */
async function readLatestEntries(
  kv: Kv,
  short: string,
  { from, to, limit }: Period & { readonly limit: number },
): Promise<{ entries: readonly Float64Array[]; logged: Float64Array }> {
  const { result: entries, logged } = await readWithLog(kv, [short], async () => {
    const found: Float64Array[] = [];
    let early = 0;
    const range = { prefix: linkKeys.visits(short), end: linkKeys.visits(short, to) };
    const batchSize = Math.min(limit, MAX_ENTRIES);
    for await (const { value } of kv.list<Float64Array>(range, { reverse: true, batchSize })) {
      if (found.push(value) === limit) break;
      if ((value.at(-1) ?? 0) < from && early++ >= OVERLAP) break;
    }
    return found;
  });
  return { entries, logged: Float64Array.from(logged.get(short) ?? []).sort() };
}

const PAGE_VISITS_SHOWN = 25;

/**
 * Returns the times of a page of a short URL's visits, latest first. Only the last entries are read, so visits close to
 * each other may be out of order where the clocks of several servers differ. A cursor is a time in milliseconds, and the
 * number of visits at that time to skip.
 * @throws AppError BAD_REQUEST for an invalid cursor.
 */
export async function listLatestVisits(
  kv: Kv,
  short: string,
  cursor: string | null,
): Promise<{ times: readonly number[]; next: string | null }> {
  const [, latest, skipped] = /^(\d{1,15})\.(\d{1,4})$/.exec(cursor ?? "") ?? [];
  if (cursor !== null && latest === undefined) throw INVALID_CURSOR;
  const time = Number(latest ?? Number.MAX_SAFE_INTEGER);
  const skip = Number(skipped ?? 0);
  const end = skip + PAGE_VISITS_SHOWN;
  // Each entry has a visit at least, so that so many entries are enough.
  const range = { from: -Infinity, to: time + 1, limit: Math.min(end + 1 + OVERLAP, 500) };
  const { entries, logged } = await readLatestEntries(kv, short, range);
  const found = [...entries, logged].flatMap((all) => [...all.filter((at) => at <= time).slice(-(end + 1))])
    .sort((one, other) => other - one);
  const times = found.slice(skip, end);
  if (found.length <= end) return { times, next: null };
  const last = times.at(-1) ?? 0;
  const same = times.filter((at) => at === last).length;
  return { times, next: `${last}.${last === time ? skip + same : same}` };
}
