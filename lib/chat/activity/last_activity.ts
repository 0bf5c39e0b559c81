import { listValues } from "@/lib/store/reads.ts";
import type { ChatApp } from "../app.ts";
import { presenceKeys, type PresenceRecord } from "../presence/model.ts";
import { activityKeys, type ActivityRecord } from "./model.ts";

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
