import { afterCommit } from "@/lib/store/durably.ts";
import { transact, type Tx } from "@/lib/store/transact.ts";
import type { ChatApp } from "../app.ts";
import type { ActionContext, Caller } from "../users/model.ts";
import { getActingAdmin } from "../users/store.ts";
import { auditFieldChange, putFields } from "./events.ts";
import { checkFieldChange, type FieldChanges } from "./model/check_field.ts";
import { getField } from "./model/profile_field.ts";
import { removeStaleValues } from "./remove_stale_values.ts";
import { getFields } from "./store.ts";

/**
 * Updates a profile field, and removes all users' values of deleted choices.
 * @throws AppError UNAUTHORIZED_PRINCIPAL or BAD_REQUEST.
 */
export async function updateField(
  app: ChatApp,
  caller: Caller,
  { fieldId, changes }: { fieldId: number; changes: FieldChanges },
): Promise<void> {
  const realmId = caller.realm.id;
  // A recreated choice must not restore values that an interrupted removal has left behind.
  if (changes.field_data !== undefined) await removeStaleValues(app, realmId);
  const work = (tx: Tx) => applyFieldUpdate({ app, tx, ...caller }, { fieldId, changes });
  const isDataChanged = await transact(app.store, work);
  if (isDataChanged) await afterCommit(() => removeStaleValues(app, realmId));
}

/**
 * Updates a profile field within a transaction, with the event and the audit entry. Returns whether stale values
 * must be removed after the commit; they must be removed before it when choices change.
 * @throws AppError UNAUTHORIZED_PRINCIPAL or BAD_REQUEST.
 */
export async function applyFieldUpdate(
  { app, tx, realm, actingUser }: ActionContext,
  { fieldId, changes }: { fieldId: number; changes: FieldChanges },
): Promise<boolean> {
  const caller = { realm, actingUser };
  await getActingAdmin(tx, caller);
  const fields = await getFields(tx, realm.id);
  const before = getField(fields, fieldId);
  const after = { id: fieldId, ...checkFieldChange(fields, before, changes), order: before.order };
  if (JSON.stringify(after) === JSON.stringify(before)) return false;
  const updated = fields.map((field) => field.id === fieldId ? after : field);
  putFields(tx, { realmId: realm.id, now: app.clock.now() }, updated);
  auditFieldChange(tx, { app, ...caller }, { before, after });
  return after.field_data !== before.field_data;
}
