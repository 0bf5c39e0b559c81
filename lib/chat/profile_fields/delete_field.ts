import { afterCommit } from "@/lib/store/durably.ts";
import { transact } from "@/lib/store/transact.ts";
import type { ChatApp } from "../app.ts";
import type { Caller } from "../users/model.ts";
import { getActingAdmin } from "../users/store.ts";
import { auditField, putFields } from "./events.ts";
import { getField } from "./model/profile_field.ts";
import { removeStaleValues } from "./remove_stale_values.ts";
import { getFields } from "./store.ts";

/**
 * Deletes a profile field and all users' values of it.
 * @throws AppError UNAUTHORIZED_PRINCIPAL or BAD_REQUEST.
 */
export async function deleteField(app: ChatApp, caller: Caller, fieldId: number): Promise<void> {
  const realmId = caller.realm.id;
  await transact(app.store, async (tx) => {
    await getActingAdmin(tx, caller);
    const fields = await getFields(tx, realmId);
    const deleted = getField(fields, fieldId);
    putFields(tx, { realmId, now: app.clock.now() }, fields.filter((field) => field !== deleted));
    auditField(tx, { app, ...caller }, { field: deleted, action: "profile_field_deleted" });
  });
  await afterCommit(() => removeStaleValues(app, realmId));
}
