import { transact } from "@/lib/store/transact.ts";
import type { ChatApp } from "../app.ts";
import type { Caller } from "../users/model.ts";
import { getActingAdmin } from "../users/store.ts";
import { auditField, putFields } from "./events.ts";
import { checkNewField, type ProfileFieldInput } from "./model/check_field.ts";
import { type ProfileFieldRecord } from "./model/profile_field.ts";
import { getFields } from "./store.ts";

/**
 * Creates a profile field at the end of the list.
 * @throws AppError UNAUTHORIZED_PRINCIPAL or BAD_REQUEST.
 */
export async function createField(
  app: ChatApp,
  caller: Caller,
  input: ProfileFieldInput,
): Promise<ProfileFieldRecord> {
  const realmId = caller.realm.id;
  return await transact(app.store, async (tx) => {
    await getActingAdmin(tx, caller);
    const fields = await getFields(tx, realmId);
    const checked = checkNewField(fields, input);
    const id = await tx.nextId("profile_field");
    const order = Math.max(id, ...fields.map((field) => field.order + 1));
    const field = { id, ...checked, order };
    putFields(tx, { realmId, now: app.clock.now() }, [...fields, field]);
    auditField(tx, { app, ...caller }, { field, action: "profile_field_created" });
    return field;
  });
}
