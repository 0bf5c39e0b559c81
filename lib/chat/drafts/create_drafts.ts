import { AppError } from "@/lib/core/errors.ts";
import { transact } from "@/lib/store/transact.ts";
import type { ChatApp } from "../app.ts";
import type { DraftInput } from "./api.ts";
import { checkDrafts } from "./check_drafts.ts";
import { sendDraftEvent } from "./events.ts";
import {
  draftKeys,
  type DraftList,
  draftLock,
  type DraftOwner,
  type DraftRecord,
  MAX_DRAFTS,
} from "./model.ts";
import { getDraftList } from "./store.ts";

/**
 * Stores drafts and returns their ids in the same order.
 * @throws AppError BAD_REQUEST for the first invalid draft; none is stored then.
 */
export async function createDrafts(
  app: ChatApp,
  owner: DraftOwner,
  inputs: readonly DraftInput[],
): Promise<number[]> {
  const checked = await checkDrafts(app, owner, inputs);
  const { realm, user } = owner;
  return await transact(app.store, async (tx) => {
    const list = await getDraftList(tx, owner);
    if (list.ids.length + checked.length > MAX_DRAFTS) {
      throw new AppError("BAD_REQUEST", `You can keep ${MAX_DRAFTS} drafts at most.`);
    }
    const ids: number[] = [];
    for (const draft of checked) {
      const record: DraftRecord = { id: await tx.nextId("draft"), ...draft };
      ids.push(record.id);
      tx.set(draftKeys.draft(realm.id, user.id, record.id), record);
      // One event per draft: many drafts are too large for a single event.
      sendDraftEvent(tx, app.clock.now(), { owner, op: "add", drafts: [record] });
    }
    tx.set(draftKeys.list(realm.id, user.id), { ...list, ids: [...list.ids, ...ids] } satisfies DraftList);
    return ids;
  }, draftLock(owner));
}
