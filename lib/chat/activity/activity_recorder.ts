import type { Clock } from "@/lib/core/clock.ts";
import { dayOf } from "@/lib/core/days.ts";
import { createLru } from "@/lib/core/lru.ts";
import { createWorker } from "@/lib/core/worker.ts";
import type { Key } from "@/lib/kv/key.ts";
import type { Store } from "@/lib/kv/open.ts";
import { transact, type Tx } from "@/lib/kv/transact.ts";
import type { ActivityRecorder } from "../app.ts";
import { presenceKeys, type PresenceRecord } from "../presence/model.ts";
import { readSetting } from "../user_settings/store.ts";
import { countActiveDay } from "./active_counts.ts";
import { activityKeys, type ActivityRecord } from "./model.ts";

const MINUTE_MS = 60 * 1000;
/** Time for which further uses of a person on the same day are not recorded. */
const INTERVAL_MS = 5 * MINUTE_MS;
const SCHEDULE = { everyMs: MINUTE_MS, firstMs: MINUTE_MS } as const;
/** Number of people whose last use is remembered. */
const MAX_KNOWN = 50_000;
/** Maximum number of uses that wait while the store cannot be written. */
const MAX_PENDING = 50_000;
/** Number of uses in a commit, which checks each of them. */
const MAX_TOGETHER = 80;

interface Use {
  readonly realmId: number;
  readonly userId: number;
  /** Milliseconds since 1970 UTC. */
  readonly at: number;
}

/** Services that record activity. */
interface RecorderParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly report: (error: unknown) => void;
}

/**
 * Creates the recorder of people's activity. Uses wait in memory and are stored every minute, many in a commit: a
 * request neither waits for them nor reads more. Uses that cannot be stored wait for the next sweep.
 */
export function createActivityRecorder({ store, clock, report }: RecorderParts): ActivityRecorder {
  const startedAt = clock.now();
  const known = createLru<string, number>(MAX_KNOWN);
  /** Latest use of each person and day. */
  const pending = new Map<string, Use>();
  const storePending = async () => {
    let count = 0;
    while (pending.size > 0) {
      const together = pending.entries().take(MAX_TOGETHER).toArray();
      await transact(store, (tx) => putUses(tx, { startedAt, uses: together.map(([, use]) => use) }));
      for (const [name, use] of together) {
        if (pending.get(name) === use) pending.delete(name);
      }
      count += together.length;
    }
    return count;
  };
  return {
    ...createWorker(storePending, { ...SCHEDULE, report }),
    record(realm, user) {
      if (user.bot_type !== null || realm.settings.presence_disabled || pending.size >= MAX_PENDING) return;
      const at = clock.now();
      const name = `${realm.id} ${user.id}`;
      const last = known.get(name);
      if (last !== undefined && at - last < INTERVAL_MS && dayOf(last) === dayOf(at)) return;
      known.set(name, at);
      pending.set(`${name} ${dayOf(at)}`, { realmId: realm.id, userId: user.id, at });
    },
  };
}

/** Uses of a process that started at a time in milliseconds since 1970 UTC. */
interface StartedUses {
  readonly startedAt: number;
  readonly uses: readonly Use[];
}

async function putUses(tx: Tx, { startedAt, uses }: StartedUses): Promise<void> {
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
