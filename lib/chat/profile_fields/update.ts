import { transact } from "@/lib/kv/transact.ts";
import type { ChatApp } from "../app.ts";
import type { Caller } from "../users/caller.ts";
import { fieldQueue } from "./profile_field.ts";
import { noteFieldChange } from "./note_field.ts";
import { checkFieldChange, type FieldChanges } from "./rules.ts";
import { fieldOf, getFields, putFields, requireFieldRight } from "./store.ts";
import { sweepValues } from "./sweep_values.ts";

/**
 * Changes a field and tells everybody. Values of choices that it no longer has are not shown any more, and removed.
 * @throws AppError UNAUTHORIZED_PRINCIPAL or BAD_REQUEST.
 */
export async function updateField(
  app: ChatApp,
  caller: Caller,
  { fieldId, changes }: { fieldId: number; changes: FieldChanges },
): Promise<void> {
  const realmId = caller.realm.id;
  // A choice that comes back must not bring values back that an earlier sweep left.
  if (changes.field_data !== undefined) await sweepValues(app, realmId);
  const isOther = await transact(app.store, async (tx) => {
    await requireFieldRight(tx, caller);
    const fields = await getFields(tx, realmId);
    const before = fieldOf(fields, fieldId);
    const after = { id: fieldId, ...checkFieldChange(fields, before, changes), order: before.order };
    if (JSON.stringify(after) === JSON.stringify(before)) return false;
    const all = fields.map((field) => field.id === fieldId ? after : field);
    putFields(tx, { realmId, now: app.clock.now() }, all);
    noteFieldChange(tx, { app, ...caller }, { before, after });
    return after.field_data !== before.field_data;
  }, fieldQueue(realmId));
  if (isOther) await sweepValues(app, realmId);
}
