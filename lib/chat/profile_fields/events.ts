import { AppError } from "@/lib/core/errors.ts";
import type { Tx } from "@/lib/store/transact.ts";
import type { ChatApp } from "../app.ts";
import {
  type AuditAction,
  type AuditDetails,
  type AuditValues,
  diffDetails,
  diffValues,
} from "../audit/model.ts";
import { recordAudit } from "../audit/store.ts";
import { sendEvent } from "../events/send_events.ts";
import type { RealmRecord } from "../organizations/model.ts";
import { sendUserEvent } from "../users/events.ts";
import type { Caller, UserRecord } from "../users/model.ts";
import type { ProfileValue } from "./model/profile_data.ts";
import { type ProfileFieldRecord, profileKeys, toProfileField } from "./model/profile_field.ts";
import { MAX_RECORD_BYTES, storedSize } from "./store.ts";

/** Properties of a field whose changes are audited. */
export const AUDITED_FIELD_PROPERTIES = [
  "name",
  "hint",
  "field_data",
  "required",
  "editable_by_user",
  "display_in_profile_summary",
  "use_for_user_matching",
] as const;

/** The user who changes fields, and the clock. */
interface FieldAuditContext extends Caller {
  readonly app: Pick<ChatApp, "clock">;
}

/** An audited action on a field, or on all fields for the id 0. */
interface FieldAudit {
  readonly field: Pick<ProfileFieldRecord, "id" | "name">;
  readonly action: AuditAction;
  readonly details?: AuditDetails;
  readonly values?: AuditValues | undefined;
}

/** Records an action on a profile field in the audit log. */
export function auditField(
  tx: Tx,
  { app, realm, actingUser }: FieldAuditContext,
  { field: { id, name }, action, details = {}, values }: FieldAudit,
): void {
  recordAudit(tx, { realmId: realm.id, now: app.clock.now() }, {
    acting_user_id: actingUser.id,
    action,
    target: { kind: "profile_field", id, name },
    details,
    values,
  });
}

/** Records the changed properties of a field in the audit log. */
export function auditFieldChange(
  tx: Tx,
  context: FieldAuditContext,
  { before, after: field }: { before: ProfileFieldRecord; after: ProfileFieldRecord },
): void {
  auditField(tx, context, {
    field,
    action: "profile_field_changed",
    details: diffDetails(before, field, AUDITED_FIELD_PROPERTIES),
    values: diffValues(before, field, AUDITED_FIELD_PROPERTIES),
  });
}

/**
 * Stores an organization's fields and sends them to everyone; `now` in milliseconds since 1970 UTC.
 * @throws AppError BAD_REQUEST when they do not fit into one record of the store.
 */
export function putFields(
  tx: Tx,
  context: { realmId: number; now: number },
  fields: readonly ProfileFieldRecord[],
): void {
  const event = { type: "custom_profile_fields", fields: fields.map(toProfileField) };
  if (Math.max(storedSize(fields), storedSize(event)) > MAX_RECORD_BYTES) {
    throw new AppError("BAD_REQUEST", "The profile fields and their choices are too long altogether.");
  }
  tx.set(profileKeys.fields(context.realmId), fields);
  sendEvent(tx, context, { event, audience: "everyone" });
}

/** Sends a user's changed value to the users who can access them; null for a cleared value. */
export function sendValueEvent(
  tx: Tx,
  { app, realm, user }: { app: Pick<ChatApp, "clock">; realm: RealmRecord; user: UserRecord },
  { id, value }: { id: number; value: ProfileValue | null },
): void {
  const custom_profile_field = { id, ...(value ?? { value: null }) };
  sendUserEvent(tx, { realm, user, now: app.clock.now() }, {
    type: "realm_user",
    op: "update",
    person: { user_id: user.id, custom_profile_field },
  });
}
