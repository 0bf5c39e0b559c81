import { systemClock } from "../core/clock.ts";
import { hourOf } from "../core/days.ts";
import { readCount } from "../store/key.ts";
import type { Store } from "../store/open.ts";
import { transact } from "../store/transact.ts";
import { linkKeys } from "./store.ts";

/**
 * Migrates from version 10 to 11: visits are counted by hour as well from now on, so the sums of the next hour are the
 * first that have all visits. A store without visits has none that are missing.
 */
export async function startVisitHours(store: Store): Promise<void> {
  if (await readCount(store.kv, linkKeys.visitCount) === 0n) return;
  const next = hourOf(systemClock.now()) + 1;
  await transact(store, async (tx) => {
    if (await tx.get<number>(linkKeys.visitHoursSince) === null) tx.set(linkKeys.visitHoursSince, next);
  });
}
