import { transact } from "@/lib/kv/transact.ts";
import type { ChatApp } from "../app.ts";
import type { Caller } from "../users/caller.ts";
import { folderKeys, folderQueue } from "./folder.ts";
import { noteFolder } from "./note_folder.ts";
import { requireWholeOrder } from "./rules.ts";
import { getPlaces, requireFolderRight, tellOfFolders } from "./store.ts";

/**
 * Puts all folders into another order, by their ids, and tells everybody.
 * @throws AppError UNAUTHORIZED_PRINCIPAL, or BAD_REQUEST for an order that does not name each folder once.
 */
export async function reorderFolders(
  app: ChatApp,
  caller: Caller,
  order: readonly number[],
): Promise<void> {
  const realmId = caller.realm.id;
  await transact(app.store, async (tx) => {
    await requireFolderRight(tx, caller);
    const places = await getPlaces(tx, realmId);
    requireWholeOrder(order, places.map(({ id }) => id));
    if (places.every(({ id }, at) => id === order[at])) return;
    tx.set(folderKeys.places(realmId), order.map((id, at) => ({ id, order: at })));
    noteFolder(tx, { app, ...caller }, { folder: { id: 0, name: "" }, action: "folder_reordered" });
    tellOfFolders(tx, { realmId, now: app.clock.now() }, { op: "reorder", order });
  }, folderQueue(realmId));
}
