import { AppError } from "@/lib/core/errors.ts";
import { transact } from "@/lib/store/transact.ts";
import type { ChatApp } from "../app.ts";
import type { Caller } from "../users/model.ts";
import { getActingAdmin } from "../users/store.ts";
import { bulkActionKeys } from "./model.ts";
import { getBulkAction, putBulkAction } from "./store.ts";

/**
 * Starts the caller's own draft of a bulk action; does nothing for one that was started.
 * @throws AppError NOT_FOUND or UNAUTHORIZED_PRINCIPAL.
 */
export async function startBulkAction(app: ChatApp, caller: Caller, id: number): Promise<void> {
  const { id: realmId } = caller.realm;
  await transact(app.store, async (tx) => {
    const actor = await getActingAdmin(tx, caller);
    const action = await getBulkAction(tx, realmId, id);
    if (action.acting_user_id !== actor.id) {
      throw new AppError("UNAUTHORIZED_PRINCIPAL", "Only the administrator who prepared this can start it.");
    }
    if (action.state !== "draft") return;
    putBulkAction(tx, realmId, { ...action, state: "running" });
    tx.set(bulkActionKeys.due(app.clock.now(), realmId, id), true);
  });
  app.wakeBulkActions();
}

/**
 * Stops a bulk action: accounts that were not processed yet stay as they are. Does nothing for one that has ended.
 * @throws AppError NOT_FOUND or UNAUTHORIZED_PRINCIPAL.
 */
export async function stopBulkAction(app: ChatApp, caller: Caller, id: number): Promise<void> {
  const { id: realmId } = caller.realm;
  await transact(app.store, async (tx) => {
    await getActingAdmin(tx, caller);
    const action = await getBulkAction(tx, realmId, id);
    if (action.state !== "draft" && action.state !== "running") return;
    putBulkAction(tx, realmId, { ...action, state: "stopped" });
  });
}
