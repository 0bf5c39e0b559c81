import { HOUR_MS, hourOf } from "@/lib/core/days.ts";
import type { Kv } from "@/lib/store/kv.ts";
import { readRecord, toValue } from "@/lib/store/key.ts";
import { linkKeys } from "./store.ts";
import { readWithLog } from "./visit_log.ts";

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

/** Maximum number of entries that are read: up to 500,000 visits in pages, fewer while they are not folded. */
const MAX_ENTRIES = 200;
/** Entries of different processes may overlap by this many. */
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
export async function countVisitHours(
  kv: Kv,
  short: string,
  { from, to }: Period,
): Promise<VisitHours> {
  const { result: { hours, since }, logged } = await readWithLog(
    kv,
    [short],
    () => countStored(kv, short, { from, to }),
  );
  for (const time of logged.get(short) ?? []) addToHour(hours, time, { from, to });
  return { hours: [...hours].map(([time, count]) => ({ time, count })), since };
}

/** Counts the visits that left the log. */
async function countStored(kv: Kv, short: string, { from, to }: Period): Promise<StoredHours> {
  const prefix = linkKeys.visitsOf(short);
  const hours = new Map<number, number>();
  let [entries, beyond, first] = [0, 0, to];
  // Entries may be folded meanwhile; one batch of a listing is consistent.
  const options = { reverse: true, limit: MAX_ENTRIES, batchSize: MAX_ENTRIES };
  const listing = kv.list<Float64Array>({ prefix: [...prefix], end: [...prefix, to] }, options);
  for await (const { key, value } of listing) {
    entries++;
    first = Number(key[2]);
    if ((value.at(-1) ?? 0) < from && beyond++ >= OVERLAP) break;
    for (const time of value) addToHour(hours, time, { from, to });
  }
  const isCut = entries === MAX_ENTRIES && first > from;
  return { hours, since: isCut ? first : null };
}

interface Period {
  readonly from: number;
  readonly to: number;
}

interface StoredHours {
  /** Counts by the start of the hour. */
  readonly hours: Map<number, number>;
  readonly since: number | null;
}

function addToHour(hours: Map<number, number>, time: number, { from, to }: Period): void {
  if (time < from || time >= to) return;
  const hour = Math.floor(time / HOUR_MS) * HOUR_MS;
  hours.set(hour, (hours.get(hour) ?? 0) + 1);
}
