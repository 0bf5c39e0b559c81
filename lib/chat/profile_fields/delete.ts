import { transact } from "@/lib/kv/transact.ts";
import type { ChatApp } from "../app.ts";
import type { Caller } from "../users/caller.ts";
import { fieldQueue } from "./profile_field.ts";
import { noteField } from "./note_field.ts";
import { fieldOf, getFields, putFields, requireFieldRight } from "./store.ts";
import { sweepValues } from "./sweep_values.ts";

/**
 * Removes a field and everybody's values of it, and tells everybody.
 * @throws AppError UNAUTHORIZED_PRINCIPAL or BAD_REQUEST.
 */
export async function deleteField(app: ChatApp, caller: Caller, fieldId: number): Promise<void> {
  const realmId = caller.realm.id;
  await transact(app.store, async (tx) => {
    await requireFieldRight(tx, caller);
    const fields = await getFields(tx, realmId);
    const gone = fieldOf(fields, fieldId);
    putFields(tx, { realmId, now: app.clock.now() }, fields.filter((field) => field !== gone));
    noteField(tx, { app, ...caller }, { field: gone, action: "profile_field_deleted" });
  }, fieldQueue(realmId));
  await sweepValues(app, realmId);
}
