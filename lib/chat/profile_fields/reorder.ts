import { transact } from "@/lib/kv/transact.ts";
import type { ChatApp } from "../app.ts";
import type { Caller } from "../users/caller.ts";
import { fieldQueue } from "./profile_field.ts";
import { noteField } from "./note_field.ts";
import { putInOrder } from "./rules.ts";
import { getFields, putFields, requireFieldRight } from "./store.ts";

/**
 * Puts all fields into another order, by their ids, and tells everybody.
 * @throws AppError UNAUTHORIZED_PRINCIPAL, or BAD_REQUEST for an order that leaves a field out.
 */
export async function reorderFields(
  app: ChatApp,
  caller: Caller,
  order: readonly number[],
): Promise<void> {
  const realmId = caller.realm.id;
  await transact(app.store, async (tx) => {
    await requireFieldRight(tx, caller);
    const fields = await getFields(tx, realmId);
    const after = putInOrder(fields, order);
    if (after.every((field, at) => field.id === fields[at]?.id && field.order === fields[at].order)) return;
    putFields(tx, { realmId, now: app.clock.now() }, after);
    noteField(tx, { app, ...caller }, { field: { id: 0, name: "" }, action: "profile_field_reordered" });
  }, fieldQueue(realmId));
}
