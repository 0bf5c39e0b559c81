import { dayOf } from "@/lib/core/clock.ts";
import { createLru } from "@/lib/core/lru.ts";
import { createWorker } from "@/lib/core/worker.ts";
import { transact } from "@/lib/store/transact.ts";
import type { ActivityRecorder, ChatApp } from "@/lib/chat/organization/app.ts";
import type { Use } from "./store.ts";

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

/**
 * Creates the recorder of people's activity. Uses wait in memory and are stored every minute, many in a commit: a
 * request neither waits for them nor reads more. Uses that cannot be stored wait for the next sweep.
 */
export function createActivityRecorder(
  { store, clock, report }: Pick<ChatApp, "store" | "clock"> & { readonly report: (error: unknown) => void },
): ActivityRecorder {
  const startedAt = clock.now();
  const known = createLru<string, number>(MAX_KNOWN);
  /** Latest use of each person and day. */
  const pending = new Map<string, Use>();
  const storePending = async () => {
    if (pending.size === 0) return 0;
    // Settings are not needed before the first response, and take long to load.
    const { putUses } = await import("./store.ts");
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
