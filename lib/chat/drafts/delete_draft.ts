import { transact } from "@/lib/store/transact.ts";
import type { ChatApp } from "../app.ts";
import { sendDraftEvent } from "./events.ts";
import { draftKeys, type DraftList, draftLock, type DraftOwner, requireListed } from "./model.ts";
import { getDraftList } from "./store.ts";

/**
 * Deletes a draft.
 * @throws AppError BAD_REQUEST for an unknown id.
 */
export async function deleteDraft(app: ChatApp, owner: DraftOwner, id: number): Promise<void> {
  const { realm, user } = owner;
  await transact(app.store, async (tx) => {
    const list = await getDraftList(tx, owner);
    requireListed(list, id);
    tx.delete(draftKeys.draft(realm.id, user.id, id));
    const ids = list.ids.filter((other) => other !== id);
    tx.set(draftKeys.list(realm.id, user.id), { ...list, ids } satisfies DraftList);
    sendDraftEvent(tx, app.clock.now(), { owner, op: "remove", draft_id: id });
  }, draftLock(owner));
}
