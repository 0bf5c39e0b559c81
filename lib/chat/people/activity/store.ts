import { DAY_MS, dayOf } from "@/lib/core/clock.ts";
import { type Key, readCount } from "@/lib/store/key.ts";
import { listValues } from "@/lib/store/reads.ts";
import type { Tx } from "@/lib/store/transact.ts";
import type { ChatApp } from "@/lib/chat/organization/app.ts";
import { presenceKeys, type PresenceRecord } from "../presence/model.ts";
import { readSetting } from "../user_settings/store.ts";

/** When a person last sent, read, reacted or changed something, or used a page. */
export interface ActivityRecord {
  readonly user_id: number;
  /** Latest day that was counted, in whole days since 1970 UTC. */
  readonly day: number;
  /** Milliseconds since 1970 UTC, accurate to minutes; it stays as it is while the person has turned presence off. */
  readonly at: number | null;
}

/** Keys of the activity of an organization's people. */
export const activityKeys = {
  activities: (realmId: number): Key => [realmId, "activity"],
  activity: (realmId: number, userId: number): Key => [realmId, "activity", userId],
  activeCounts: (realmId: number, unit: "day" | "week"): Key => [realmId, "active_count", unit],
  /** Number of people who were active in a period, which is numbered from 1970. */
  activeCount: (realmId: number, unit: "day" | "week", period: number): Key => [
    realmId,
    "active_count",
    unit,
    period,
  ],
};

/** Numbers of people who were active in the current day and week of UTC; weeks begin on Monday. */
export interface ActiveCounts {
  readonly today: number;
  readonly week: number;
}

/** 1970-01-01 was a Thursday. */
const DAYS_BEFORE_FIRST_MONDAY = 4;

/** Counts a person's activity of a day and of its week; `before` is the latest day of theirs that was counted. */
export function countActiveDay(
  tx: Tx,
  realmId: number,
  { before, day }: { before: number | null; day: number },
): void {
  for (const [unit, toPeriod] of PERIODS) {
    const period = toPeriod(day);
    if (before === null || toPeriod(before) < period) {
      tx.sum(activityKeys.activeCount(realmId, unit, period), 1n);
    }
  }
}

/** Reads how many people were active in the current day and week. */
export async function readActiveCounts(
  { store, clock, activity }: ChatApp,
  realmId: number,
): Promise<ActiveCounts> {
  await activity.sweep();
  const today = dayOf(clock.now());
  const [ofDay, ofWeek] = await Promise.all(
    PERIODS.map(([unit, toPeriod]) =>
      readCount(store.kv, activityKeys.activeCount(realmId, unit, toPeriod(today)))
    ),
  );
  return { today: Number(ofDay), week: Number(ofWeek) };
}

/**
 * Lists the days or weeks with active people that contain the times from `start` to before `end`, in order: their
 * starts in milliseconds since 1970 UTC, and the numbers of people.
 */
export async function listActiveCounts(
  { store, activity }: Pick<ChatApp, "store" | "activity">,
  realmId: number,
  { unit, start, end }: { unit: "day" | "week"; start: number; end: number },
): Promise<readonly { time: number; count: number }[]> {
  await activity.sweep();
  const periodOf = (time: number) => unit === "day" ? dayOf(time) : toWeek(dayOf(time));
  const prefix = activityKeys.activeCounts(realmId, unit);
  const range = { start: [...prefix, periodOf(start)], end: [...prefix, periodOf(end - 1) + 1] };
  const rows = store.kv.list<Deno.KvU64>(range, { batchSize: 500 });
  return await Array.fromAsync(rows, ({ key, value }) => {
    const period = Number(key.at(-1));
    const day = unit === "day" ? period : DAYS_BEFORE_FIRST_MONDAY + 7 * period;
    return { time: day * DAY_MS, count: Number(value.value) };
  });
}

const PERIODS = [["day", (day: number) => day], ["week", toWeek]] as const;

function toWeek(day: number): number {
  return Math.floor((day - DAYS_BEFORE_FIRST_MONDAY) / 7);
}

/** Time for which a listing is reused, in milliseconds. */
const FRESH_MS = 60 * 1000;
/** Estimated memory of a time, in bytes. */
const TIME_BYTES = 50;

/**
 * Returns the times of users' last activity in milliseconds since 1970 UTC, in the order of the ids; null for users
 * without any. Presence is more accurate than the activity, and all there is of users of earlier versions.
 */
export async function readLastActivity(
  { reads, activity }: ChatApp,
  realmId: number,
  userIds: readonly number[],
): Promise<readonly (number | null)[]> {
  await activity.sweep();
  return await Promise.all(userIds.map(async (id) => {
    const [own, presence] = await Promise.all([
      reads.read<ActivityRecord>(activityKeys.activity(realmId, id)),
      reads.read<PresenceRecord>(presenceKeys.presence(realmId, id)),
    ]);
    return latest(own?.at, presence?.last_active);
  }));
}

/**
 * Returns the last activity of every user of an organization who was ever active, by user id, as of at most a minute
 * ago: activity changes all the time, and the listing reads two records for each user.
 */
export async function listLastActivity(app: ChatApp, realmId: number): Promise<ReadonlyMap<number, number>> {
  const minute = Math.floor(app.clock.now() / FRESH_MS);
  const { times } = await app.cache.get(`activity ${realmId}`, [minute], async () => {
    await app.activity.sweep();
    const { kv } = app.store;
    const [activities, presences] = await Promise.all([
      listValues<ActivityRecord>(kv, activityKeys.activities(realmId)),
      listValues<PresenceRecord>(kv, presenceKeys.presences(realmId)),
    ]);
    const times = new Map<number, number>();
    const add = (userId: number, time: number | null) => {
      const last = latest(times.get(userId), time);
      if (last !== null) times.set(userId, last);
    };
    for (const { user_id, at } of activities) add(user_id, at);
    for (const { user_id, last_active } of presences) add(user_id, last_active);
    return { times, size: TIME_BYTES * times.size };
  });
  return times;
}

function latest(...times: readonly (number | null | undefined)[]): number | null {
  const known = times.filter((time) => typeof time === "number");
  return known.length === 0 ? null : Math.max(...known);
}

/** A use of Sotto by a person. */
export interface Use {
  readonly realmId: number;
  readonly userId: number;
  /** Milliseconds since 1970 UTC. */
  readonly at: number;
}

/**
 * Stores uses of a process that started at a time in milliseconds since 1970 UTC, and counts those that are the first
 * of a day or a week.
 */
export async function putUses(
  tx: Tx,
  { startedAt, uses }: { startedAt: number; uses: readonly Use[] },
): Promise<void> {
  await Promise.all(uses.map(({ realmId, userId }) => tx.get(activityKeys.activity(realmId, userId))));
  // One after another, as a person may have used two days.
  for (const use of uses) await putUse(tx, use, startedAt);
}

async function putUse(tx: Tx, { realmId, userId, at }: Use, startedAt: number): Promise<void> {
  const key = activityKeys.activity(realmId, userId);
  const before = await tx.get<ActivityRecord>(key);
  const counted = before?.day ?? await readFormerDay(tx, presenceKeys.presence(realmId, userId), startedAt);
  const reads = { read: <T>(setting: Key) => tx.peek<T>(setting) };
  const isShown = await readSetting({ reads }, { realmId, userId }, "presence_enabled") !== false;
  const day = dayOf(at);
  countActiveDay(tx, realmId, { before: counted, day });
  const last = before?.at ?? null;
  const record: ActivityRecord = {
    user_id: userId,
    day: Math.max(day, counted ?? day),
    at: isShown ? Math.max(at, last ?? at) : last,
  };
  tx.set(key, record);
}

/**
 * Returns the day that an earlier version counted for a person without a record: it counted reports of presence, in
 * their commits.
 */
async function readFormerDay(tx: Tx, key: Key, startedAt: number): Promise<number | null> {
  const presence = await tx.peek<PresenceRecord>(key);
  const last = presence?.last_active ?? null;
  return last === null || last >= startedAt ? null : dayOf(last);
}
