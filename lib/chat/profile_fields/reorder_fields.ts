import { transact } from "@/lib/kv/transact.ts";
import type { ChatApp } from "../app.ts";
import type { Caller } from "../users/model.ts";
import { getActingAdmin } from "../users/store.ts";
import { auditField, putFields } from "./events.ts";
import { applyOrder } from "./model/check_field.ts";
import { profileFieldLock } from "./model/profile_field.ts";
import { getFields } from "./store.ts";

/**
 * Reorders all profile fields by their ids.
 * @throws AppError UNAUTHORIZED_PRINCIPAL, or BAD_REQUEST for an order that omits a field.
 */
export async function reorderFields(
  app: ChatApp,
  caller: Caller,
  order: readonly number[],
): Promise<void> {
  const realmId = caller.realm.id;
  await transact(app.store, async (tx) => {
    await getActingAdmin(tx, caller);
    const fields = await getFields(tx, realmId);
    const after = applyOrder(fields, order);
    if (
      after.every((field, index) => field.id === fields[index]?.id && field.order === fields[index].order)
    ) return;
    putFields(tx, { realmId, now: app.clock.now() }, after);
    auditField(tx, { app, ...caller }, { field: { id: 0, name: "" }, action: "profile_field_reordered" });
  }, profileFieldLock(realmId));
}
