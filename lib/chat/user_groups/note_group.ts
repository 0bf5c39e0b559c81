import type { Tx } from "@/lib/kv/transact.ts";
import type { AuditAction, AuditDetails } from "../audit/change.ts";
import { differencesOf } from "../audit/details.ts";
import { recordAudit } from "../audit/note_change.ts";
import type { GroupRecord } from "../permissions/group.ts";
import type { PermissionContext } from "../permissions/group_world.ts";
import type { UserRecord } from "../users/user.ts";

/** What somebody did to a group. */
export interface NotedGroup {
  readonly actor: Pick<UserRecord, "id">;
  readonly group: Pick<GroupRecord, "id" | "name">;
  readonly action: AuditAction;
  readonly details?: AuditDetails;
}

/** Notes in the audit log what somebody did to a group. */
export function noteGroup(
  tx: Tx,
  { realm, now }: PermissionContext,
  { actor, group: { id, name }, action, details = {} }: NotedGroup,
): void {
  recordAudit(tx, { realmId: realm.id, now }, {
    acting_user_id: actor.id,
    action,
    target: { kind: "group", id, name },
    details,
  });
}

/** Notes what is other about a group than before. */
export function noteGroupUpdate(
  tx: Tx,
  permissions: PermissionContext,
  { actor, before, after }: { actor: Pick<UserRecord, "id">; before: GroupRecord; after: GroupRecord },
): void {
  const note = (action: AuditAction, details: AuditDetails = {}) =>
    noteGroup(tx, permissions, { actor, group: after, action, details });
  if (before.deactivated && !after.deactivated) note("group_reactivated");
  const settings = Object.keys({ ...before.permissions, ...after.permissions });
  const details = {
    ...differencesOf(before, after, ["name", "description"]),
    ...differencesOf(before.permissions, after.permissions, settings),
  };
  if (Object.keys(details).length > 0) note("group_changed", details);
}
