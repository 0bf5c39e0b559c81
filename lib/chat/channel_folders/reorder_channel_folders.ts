import { transact } from "@/lib/kv/transact.ts";
import type { ChatApp } from "../app.ts";
import type { Caller } from "../users/model.ts";
import { getActingAdmin } from "../users/store.ts";
import { channelFolderKeys, channelFolderLock, requireCompleteOrder } from "./model.ts";
import { auditChannelFolder, sendChannelFolderEvent } from "./events.ts";
import { readFolderPositions } from "./store.ts";

/**
 * Reorders all folders, by their ids, and sends the event.
 * @throws AppError UNAUTHORIZED_PRINCIPAL, or BAD_REQUEST for an order that does not contain each folder
 * once.
 */
export async function reorderChannelFolders(
  app: ChatApp,
  caller: Caller,
  order: readonly number[],
): Promise<void> {
  const realmId = caller.realm.id;
  await transact(app.store, async (tx) => {
    await getActingAdmin(tx, caller);
    const positions = await readFolderPositions(tx, realmId);
    requireCompleteOrder(order, positions.map(({ id }) => id));
    if (positions.every(({ id }, at) => id === order[at])) return;
    tx.set(channelFolderKeys.positions(realmId), order.map((id, at) => ({ id, order: at })));
    auditChannelFolder(tx, { app, ...caller }, { folder: { id: 0, name: "" }, action: "folder_reordered" });
    sendChannelFolderEvent(tx, { realmId, now: app.clock.now() }, { op: "reorder", order });
  }, channelFolderLock(realmId));
}
