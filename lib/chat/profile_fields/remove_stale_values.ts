import { chunk } from "es-toolkit/array/chunk";
import { transact } from "@/lib/store/transact.ts";
import type { ChatApp } from "../app.ts";
import { filterValues, type ProfileData, toValueFilter } from "./model/profile_data.ts";
import { profileKeys } from "./model/profile_field.ts";
import { getFields, iterateProfileData, readFields } from "./store.ts";

/** Number of users whose values one commit changes. */
const BATCH = 50;

/**
 * Removes all users' values of deleted fields and choices. Readers already filter them out, so an interrupted
 * removal is harmless: the next one completes it.
 */
export async function removeStaleValues(app: ChatApp, realmId: number): Promise<void> {
  const isCurrent = toValueFilter(await readFields(app, realmId));
  const userIds: number[] = [];
  for await (const { userId, data } of iterateProfileData(app, realmId)) {
    if (filterValues(isCurrent, data) !== data) userIds.push(userId);
  }
  for (const batch of chunk(userIds, BATCH)) await removeStaleBatch(app, realmId, batch);
}

async function removeStaleBatch(app: ChatApp, realmId: number, userIds: readonly number[]): Promise<void> {
  await transact(app.store, async (tx) => {
    const isCurrent = toValueFilter(await getFields(tx, realmId));
    await Promise.all(userIds.map(async (userId) => {
      const key = profileKeys.valuesOf(realmId, userId);
      const data = await tx.get<ProfileData>(key) ?? {};
      const current = filterValues(isCurrent, data);
      if (current === data) return;
      if (Object.keys(current).length === 0) tx.delete(key);
      else tx.set(key, current);
    }));
  });
}
