import { transact } from "@/lib/kv/transact.ts";
import type { ChatApp } from "../app.ts";
import type { Caller } from "../users/caller.ts";
import { fieldQueue, type ProfileFieldRecord } from "./profile_field.ts";
import { noteField } from "./note_field.ts";
import { checkNewField, type SentField } from "./rules.ts";
import { getFields, putFields, requireFieldRight } from "./store.ts";

/**
 * Makes a field behind all others and tells everybody.
 * @throws AppError UNAUTHORIZED_PRINCIPAL or BAD_REQUEST.
 */
export async function createField(
  app: ChatApp,
  caller: Caller,
  sent: SentField,
): Promise<ProfileFieldRecord> {
  const realmId = caller.realm.id;
  return await transact(app.store, async (tx) => {
    await requireFieldRight(tx, caller);
    const fields = await getFields(tx, realmId);
    const checked = checkNewField(fields, sent);
    const id = await tx.nextId("profile_field");
    const order = Math.max(id, ...fields.map((field) => field.order + 1));
    const field = { id, ...checked, order };
    putFields(tx, { realmId, now: app.clock.now() }, [...fields, field]);
    noteField(tx, { app, ...caller }, { field, action: "profile_field_created" });
    return field;
  }, fieldQueue(realmId));
}
