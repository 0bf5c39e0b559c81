import { transact } from "@/lib/store/transact.ts";
import type { ChatApp } from "../app.ts";
import type { DraftInput } from "./api.ts";
import { checkDrafts } from "./check_drafts.ts";
import { sendDraftEvent } from "./events.ts";
import { draftKeys, draftLock, type DraftOwner, type DraftRecord, requireListed } from "./model.ts";
import { getDraftList } from "./store.ts";

/**
 * Replaces a draft.
 * @throws AppError BAD_REQUEST for an unknown id or an invalid draft.
 */
export async function updateDraft(
  app: ChatApp,
  owner: DraftOwner,
  { id, input }: { id: number; input: DraftInput },
): Promise<void> {
  const [checked] = await checkDrafts(app, owner, [input]);
  if (checked === undefined) return;
  await transact(app.store, async (tx) => {
    requireListed(await getDraftList(tx, owner), id);
    const record: DraftRecord = { id, ...checked };
    tx.set(draftKeys.draft(owner.realm.id, owner.user.id, id), record);
    sendDraftEvent(tx, app.clock.now(), { owner, op: "update", draft: record });
  }, draftLock(owner));
}
