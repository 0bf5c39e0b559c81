import { transact, type Tx } from "@/lib/store/transact.ts";
import type { ChatApp } from "../app.ts";
import type { ActionContext, Caller } from "../users/model.ts";
import { getActingAdmin } from "../users/store.ts";
import { auditField, putFields } from "./events.ts";
import { applyOrder } from "./model/check_field.ts";
import { type ProfileFieldRecord } from "./model/profile_field.ts";
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
  const work = (tx: Tx) => applyFieldOrder({ app, tx, ...caller }, order);
  await transact(app.store, work);
}

/**
 * Reorders all profile fields within a transaction, with the event and the audit entry.
 * @throws AppError UNAUTHORIZED_PRINCIPAL or BAD_REQUEST.
 */
export async function applyFieldOrder(
  { app, tx, realm, actingUser }: ActionContext,
  order: readonly number[],
): Promise<void> {
  await getActingAdmin(tx, { realm, actingUser });
  const fields = await getFields(tx, realm.id);
  const after = applyOrder(fields, order);
  if (after.every((field, index) => field.id === fields[index]?.id && field.order === fields[index].order)) {
    return;
  }
  putFields(tx, { realmId: realm.id, now: app.clock.now() }, after);
  const toOrder = (list: readonly ProfileFieldRecord[]) => ({ order: list.map(({ id }) => id) });
  auditField(tx, { app, realm, actingUser }, {
    field: { id: 0, name: "" },
    action: "profile_field_reordered",
    values: { before: toOrder(fields), after: toOrder(after) },
  });
}
