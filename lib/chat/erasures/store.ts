import type { Tx } from "@/lib/store/transact.ts";
import { erasureKeys, type ErasureRecord, type ErasureScope } from "./model.ts";

/** Queues the deletion of what accounts leave, in the commit that deactivates them; `now` in milliseconds. */
export function enqueueErasures(
  tx: Tx,
  { realmId, now }: { readonly realmId: number; readonly now: number },
  { userIds, scope }: { userIds: readonly number[]; scope: ErasureScope },
): void {
  const record: ErasureRecord = { ...scope, sent_until: now, after: 0 };
  for (const userId of userIds) tx.set(erasureKeys.due(now, realmId, userId), record);
}
