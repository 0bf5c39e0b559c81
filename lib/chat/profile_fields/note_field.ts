import type { Tx } from "@/lib/kv/transact.ts";
import type { ChatApp } from "../app.ts";
import type { AuditAction, AuditDetails } from "../audit/change.ts";
import { differencesOf } from "../audit/details.ts";
import { recordAudit } from "../audit/note_change.ts";
import type { Caller } from "../users/caller.ts";
import type { ProfileFieldRecord } from "./profile_field.ts";

/** What is noted of a field when it changes. */
const NOTED = [
  "name",
  "hint",
  "field_data",
  "required",
  "editable_by_user",
  "display_in_profile_summary",
  "use_for_user_matching",
] as const;

/** Who changes fields, and when. */
interface FieldNoter extends Caller {
  readonly app: Pick<ChatApp, "clock">;
}

/** What somebody did to a field; to all of them where the id is 0. */
interface NotedField {
  readonly field: Pick<ProfileFieldRecord, "id" | "name">;
  readonly action: AuditAction;
  readonly details?: AuditDetails;
}

/** Notes in the audit log what somebody did to a profile field. */
export function noteField(
  tx: Tx,
  { app, realm, actingUser }: FieldNoter,
  { field: { id, name }, action, details = {} }: NotedField,
): void {
  recordAudit(tx, { realmId: realm.id, now: app.clock.now() }, {
    acting_user_id: actingUser.id,
    action,
    target: { kind: "profile_field", id, name },
    details,
  });
}

/** Notes what is other about a field than before. */
export function noteFieldChange(
  tx: Tx,
  noter: FieldNoter,
  { before, after: field }: { before: ProfileFieldRecord; after: ProfileFieldRecord },
): void {
  noteField(tx, noter, {
    field,
    action: "profile_field_changed",
    details: differencesOf(before, field, NOTED),
  });
}
