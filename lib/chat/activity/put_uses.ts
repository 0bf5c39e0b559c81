import { dayOf } from "@/lib/core/days.ts";
import type { Key } from "@/lib/store/key.ts";
import type { Tx } from "@/lib/store/transact.ts";
import { presenceKeys, type PresenceRecord } from "../presence/model.ts";
import { readSetting } from "../user_settings/store.ts";
import { countActiveDay } from "./active_counts.ts";
import { activityKeys, type ActivityRecord } from "./model.ts";

/** A use of Sotto by a person. */
export interface Use {
  readonly realmId: number;
  readonly userId: number;
  /** Milliseconds since 1970 UTC. */
  readonly at: number;
}

/** Uses of a process that started at a time in milliseconds since 1970 UTC. */
export interface StartedUses {
  readonly startedAt: number;
  readonly uses: readonly Use[];
}

/** Stores uses, and counts those that are the first of a day or a week. */
export async function putUses(tx: Tx, { startedAt, uses }: StartedUses): Promise<void> {
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
