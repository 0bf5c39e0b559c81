import { readRecord } from "@/lib/store/key.ts";
import { transact } from "@/lib/store/transact.ts";
import type { ChatApp } from "../app.ts";
import type { Caller } from "../users/model.ts";
import { getActingAdmin } from "../users/store.ts";
import { realmKeys } from "./model.ts";

/** Reads whether the administrators of an organization hid the checklist of first steps. */
export async function isChecklistHidden({ store }: ChatApp, realmId: number): Promise<boolean> {
  return await readRecord<true>(store.kv, realmKeys.checklistHidden(realmId)) === true;
}

/**
 * Hides the checklist of first steps from all administrators of an organization, or shows it again.
 * @throws AppError for a caller who is not an administrator.
 */
export async function hideChecklist(app: ChatApp, caller: Caller, isHidden: boolean): Promise<void> {
  await transact(app.store, async (tx) => {
    await getActingAdmin(tx, caller);
    const key = realmKeys.checklistHidden(caller.realm.id);
    if (isHidden) tx.set(key, true);
    else tx.delete(key);
  });
}
