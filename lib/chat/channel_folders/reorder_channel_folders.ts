import { transact, type Tx } from "@/lib/store/transact.ts";
import type { ChatApp } from "../app.ts";
import type { ActionContext, Caller } from "../users/model.ts";
import { getActingAdmin } from "../users/store.ts";
import { channelFolderKeys, requireCompleteOrder } from "./model.ts";
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
  const work = (tx: Tx) => applyFolderOrder({ app, tx, ...caller }, order);
  await transact(app.store, work);
}

/**
 * Reorders all folders within a transaction, with the event and the audit entry.
 * @throws AppError UNAUTHORIZED_PRINCIPAL or BAD_REQUEST.
 */
export async function applyFolderOrder(
  { app, tx, realm, actingUser }: ActionContext,
  order: readonly number[],
): Promise<void> {
  const realmId = realm.id;
  await getActingAdmin(tx, { realm, actingUser });
  const before = (await readFolderPositions(tx, realmId)).map(({ id }) => id);
  requireCompleteOrder(order, before);
  if (before.every((id, at) => id === order[at])) return;
  tx.set(channelFolderKeys.positions(realmId), order.map((id, at) => ({ id, order: at })));
  auditChannelFolder(tx, { app, realm, actingUser }, {
    folder: { id: 0, name: "" },
    action: "folder_reordered",
    values: { before: { order: before }, after: { order } },
  });
  sendChannelFolderEvent(tx, { realmId, now: app.clock.now() }, { op: "reorder", order });
}
