import type { Tx } from "@/lib/store/transact.ts";
import type { ChatApp } from "../app.ts";
import { draftKeys, type DraftList, type DraftOwner, type DraftRecord, requireDraftSync } from "./model.ts";

/**
 * Lists a user's drafts, the one edited last at the end.
 * @throws AppError BAD_REQUEST when the user has turned draft synchronization off.
 */
export async function listDrafts(app: ChatApp, { realm, user }: DraftOwner): Promise<DraftRecord[]> {
  const { ids } = requireDraftSync(await app.reads.read<DraftList>(draftKeys.list(realm.id, user.id)));
  const drafts = await Promise.all(
    ids.map((id) => app.reads.read<DraftRecord>(draftKeys.draft(realm.id, user.id, id))),
  );
  return drafts.filter((draft) => draft !== null).sort((one, other) => one.timestamp - other.timestamp);
}

/**
 * Returns a user's draft list in a transaction.
 * @throws AppError BAD_REQUEST when the user has turned draft synchronization off.
 */
export async function getDraftList(tx: Tx, { realm, user }: DraftOwner): Promise<DraftList> {
  return requireDraftSync(await tx.get<DraftList>(draftKeys.list(realm.id, user.id)));
}

/**
 * Turns draft synchronization on or off in the commit that changes its setting; turning it off empties the
 * list.
 */
export function setDraftSync(
  tx: Tx,
  { realmId, userId }: { realmId: number; userId: number },
  isOn: boolean,
): void {
  const key = draftKeys.list(realmId, userId);
  if (isOn) tx.delete(key);
  else tx.set(key, { is_off: true, ids: [] } satisfies DraftList);
}
