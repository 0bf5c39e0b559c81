import { listActiveCounts } from "@/lib/chat/people/activity/store.ts";
import { listDaySums } from "@/lib/chat/organization/statistics/store.ts";
import { DAY_MS, dayOf } from "@/lib/core/days.ts";
import { listStoreSizes, readStoreSize } from "@/lib/services/sotto_store.ts";
import { listDays } from "@/lib/links/stats.ts";
import { linkKeys } from "@/lib/links/store.ts";
import type { AdminRequest } from "../admin_request.ts";

/** A day and its figure; null where none is known. */
interface TrendDay {
  /** Start of the day in milliseconds since 1970 UTC. */
  readonly start: number;
  readonly value: number | null;
}

/** The days up to today, oldest first. */
export type Trend = readonly TrendDay[];

/** Number of days of a trend. */
const TREND_DAYS = 30;

/** Reads the people active on each day. */
export async function readActiveTrend(request: AdminRequest): Promise<Trend> {
  const { first, today } = daysOf(request);
  const range = { unit: "day", start: first * DAY_MS, end: (today + 1) * DAY_MS } as const;
  const counts = await listActiveCounts(request.chat, request.realm.id, range);
  return toCounts(request, counts.map(({ time, count }) => [dayOf(time), count]));
}

/** Reads the messages sent on each day. */
export async function readMessageTrend(request: AdminRequest): Promise<Trend> {
  const { first: from, today: to } = daysOf(request);
  const of = { realmId: request.realm.id, measure: "messages" } as const;
  const sums = new Map<number, number>();
  for await (const { day, count } of listDaySums(request.chat.store.kv, of, { from, to })) {
    sums.set(day, (sums.get(day) ?? 0) + count);
  }
  return toCounts(request, sums);
}

/** Reads the visits of the server's links on each day. */
export async function readVisitTrend(request: AdminRequest): Promise<Trend> {
  const { first: from, today: to } = daysOf(request);
  const days = await listDays(request.chat.store.kv, linkKeys.visitDay(), { from, to });
  return toCounts(request, days.map(({ day, count }) => [day, count]));
}

/** Reads the size of the stored files at the end of each day, from their present size and the changes since. */
export async function readFileTrend(request: AdminRequest, used: number): Promise<Trend> {
  const { first: from, today: to } = daysOf(request);
  const { chat: { store: { kv } }, realm } = request;
  const changes = new Map<number, number>();
  const add = async (measure: "bytes_added" | "bytes_removed", sign: 1 | -1) => {
    for await (const { day, count } of listDaySums(kv, { realmId: realm.id, measure }, { from, to })) {
      changes.set(day, (changes.get(day) ?? 0) + sign * count);
    }
  };
  await Promise.all([add("bytes_added", 1), add("bytes_removed", -1)]);
  let size = used;
  const sizes = new Map<number, number>();
  for (let day = to; day >= from; day--) {
    // A file may be removed while the sums are read.
    sizes.set(day, Math.max(0, size));
    size -= changes.get(day) ?? 0;
  }
  const created = dayOf(realm.date_created);
  return toTrend(request, (day) => day < created ? null : sizes.get(day) ?? 0);
}

/** Reads the size of the store's file, and at the end of each day; null for a store without a file. */
export async function readStoreTrend(
  request: AdminRequest,
): Promise<{ readonly size: number; readonly trend: Trend } | null> {
  const { first: from, today: to } = daysOf(request);
  const { store } = request.chat;
  const [size, stored] = await Promise.all([readStoreSize(store), listStoreSizes(store, { from, to })]);
  if (size === null) return null;
  const sizes = new Map(stored.map(({ day, bytes }) => [day, bytes]));
  return { size, trend: toTrend(request, (day) => day === to ? size : sizes.get(day) ?? null) };
}

function daysOf({ chat }: AdminRequest): { readonly first: number; readonly today: number } {
  const today = dayOf(chat.clock.now());
  return { first: today - TREND_DAYS + 1, today };
}

/** Returns counted days as a trend: a day without a count has 0, unless it is before the organization. */
function toCounts(request: AdminRequest, counted: Iterable<readonly [day: number, count: number]>): Trend {
  const counts = new Map(counted);
  const created = dayOf(request.realm.date_created);
  return toTrend(request, (day) => counts.get(day) ?? (day < created ? null : 0));
}

function toTrend(request: AdminRequest, valueOf: (day: number) => number | null): Trend {
  const { first } = daysOf(request);
  return Array.from({ length: TREND_DAYS }, (_, at) => ({
    start: (first + at) * DAY_MS,
    value: valueOf(first + at),
  }));
}
