import { AppError } from "@/lib/core/errors.ts";
import { transact } from "@/lib/kv/transact.ts";
import type { ChatApp } from "../app.ts";
import { profileKeys } from "./profile_field.ts";
import { getFields, readFields } from "./store.ts";
import { eachProfile, type ProfileData, shownBy, shownOf } from "./values.ts";

/** People whose values one commit changes. */
const BATCH = 50;

/**
 * Removes everybody's values of fields and choices that are gone. Nobody sees them any more, so that a sweep that is
 * broken off harms nothing: the next one takes what it left.
 */
export async function sweepValues(app: ChatApp, realmId: number): Promise<void> {
  const isShown = shownBy(await readFields(app, realmId));
  const stale: number[] = [];
  for await (const { userId, data } of eachProfile(app, realmId)) {
    if (shownOf(isShown, data) !== data) stale.push(userId);
  }
  try {
    for (let at = 0; at < stale.length; at += BATCH) {
      await sweepBatch(app, realmId, stale.slice(at, at + BATCH));
    }
  } catch (error) {
    // What made them stale is done, and must not be told as if it had failed.
    if (!(error instanceof AppError)) throw error;
  }
}

async function sweepBatch(app: ChatApp, realmId: number, userIds: readonly number[]): Promise<void> {
  await transact(app.store, async (tx) => {
    const isShown = shownBy(await getFields(tx, realmId));
    await Promise.all(userIds.map(async (userId) => {
      const key = profileKeys.valuesOf(realmId, userId);
      const data = await tx.get<ProfileData>(key) ?? {};
      const shown = shownOf(isShown, data);
      if (shown === data) return;
      if (Object.keys(shown).length === 0) tx.delete(key);
      else tx.set(key, shown);
    }));
  });
}
