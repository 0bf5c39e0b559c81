import { toEntry } from "@/lib/store/key.ts";
import { transact } from "@/lib/store/transact.ts";
import type { ChatApp } from "../app.ts";
import { draftKeys, type DraftList, MAX_DRAFTS } from "./model.ts";

/**
 * Deletes an account's drafts that are not in its draft list, after draft synchronization has been turned
 * off.
 */
export async function deleteUnlistedDrafts(
  { store }: ChatApp,
  realmId: number,
  userId: number,
): Promise<void> {
  const ids: number[] = [];
  const prefix = [...draftKeys.drafts(realmId, userId)];
  for await (const entry of store.kv.list({ prefix }, { batchSize: 20 })) {
    const id = toEntry(entry).key.at(-1);
    if (typeof id === "number") ids.push(id);
  }
  if (ids.length === 0) return;
  await transact(store, async (tx) => {
    const listedIds = (await tx.get<DraftList>(draftKeys.list(realmId, userId)))?.ids ?? [];
    const unlistedIds = ids.filter((id) => !listedIds.includes(id)).slice(0, MAX_DRAFTS);
    for (const id of unlistedIds) tx.delete(draftKeys.draft(realmId, userId, id));
  });
}
