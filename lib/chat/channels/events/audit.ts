import type { Tx } from "@/lib/store/transact.ts";
import {
  type AuditAction,
  type AuditDetails,
  type AuditValues,
  diffDetails,
  diffValues,
  type FieldValues,
} from "@/lib/chat/audit/model.ts";
import { recordAudit } from "@/lib/chat/audit/store.ts";
import { type PermissionContext, permissionValues } from "@/lib/chat/permissions/model/membership.ts";
import type { UserRecord } from "@/lib/chat/users/model.ts";
import type { ChannelRecord } from "../model/channel.ts";

/** Properties of a channel whose changes are audited. */
const AUDITED_PROPERTIES = [
  "name",
  "description",
  "invite_only",
  "is_web_public",
  "history_public_to_subscribers",
  "message_retention_days",
  "folder_id",
  "topics_policy",
] as const;

/** An action on a channel for the audit log. */
export interface ChannelAuditEntry {
  readonly actingUser: Pick<UserRecord, "id">;
  readonly channel: Pick<ChannelRecord, "id" | "name">;
  readonly action: AuditAction;
  readonly details?: AuditDetails;
  readonly values?: AuditValues | undefined;
}

/** Records an action on a channel in the audit log. */
export function auditChannel(
  tx: Tx,
  { realm, now }: PermissionContext,
  { actingUser, channel: { id, name }, action, details = {}, values }: ChannelAuditEntry,
): void {
  recordAudit(tx, { realmId: realm.id, now }, {
    acting_user_id: actingUser.id,
    action,
    target: { kind: "channel", id, name },
    details,
    values,
  });
}

/** Returns the properties and permissions of a channel that are audited, by name. */
export function readChannelValues(permissions: PermissionContext, channel: ChannelRecord): FieldValues {
  return {
    ...Object.fromEntries(AUDITED_PROPERTIES.map((name) => [name, channel[name]])),
    ...permissionValues(permissions, { kind: "channel", owner: channel }),
  };
}

/** A channel before and after an update, whether it was and is a default channel, and the acting user. */
interface ChannelUpdateAuditEntry {
  readonly actingUser: Pick<UserRecord, "id">;
  readonly before: ChannelRecord;
  readonly after: ChannelRecord;
  readonly wasDefault: boolean;
  readonly isDefault: boolean;
}

/** Records the differences of a channel update in the audit log; nothing without any. */
export function auditChannelUpdate(
  tx: Tx,
  permissions: PermissionContext,
  update: ChannelUpdateAuditEntry,
): void {
  const { actingUser, before, after, wasDefault, isDefault } = update;
  const audit = (action: AuditAction, entry: Pick<ChannelAuditEntry, "details" | "values">) =>
    auditChannel(tx, permissions, { actingUser, channel: after, action, ...entry });
  if (before.is_archived && !after.is_archived) {
    audit("channel_unarchived", { values: { before: { is_archived: true }, after: { is_archived: false } } });
  }
  const settings = Object.keys({ ...before.permissions, ...after.permissions });
  const details = {
    ...diffDetails(before, after, AUDITED_PROPERTIES),
    ...diffDetails(before.permissions, after.permissions, settings),
  };
  if (Object.keys(details).length > 0) {
    const [oldValues, newValues] = [before, after].map((channel) => readChannelValues(permissions, channel));
    const values = diffValues(oldValues ?? {}, newValues ?? {}, Object.keys(newValues ?? {}));
    audit("channel_changed", { details, values });
  }
  if (wasDefault !== isDefault) {
    const values = { before: { is_default: wasDefault }, after: { is_default: isDefault } };
    audit(isDefault ? "default_channel_added" : "default_channel_removed", { values });
  }
}
