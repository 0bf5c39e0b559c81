import type { Tx } from "@/lib/kv/transact.ts";
import type { AuditAction, AuditDetails } from "../audit/change.ts";
import { differencesOf } from "../audit/details.ts";
import { noteChange } from "../audit/note_change.ts";
import type { GroupRecord } from "../permissions/group.ts";
import type { GroupWorld } from "../permissions/group_world.ts";
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
  { realm, now }: GroupWorld,
  { actor, group: { id, name }, action, details = {} }: NotedGroup,
): void {
  noteChange(tx, { realmId: realm.id, now }, {
    acting_user_id: actor.id,
    action,
    target: { kind: "group", id, name },
    details,
  });
}

/** Notes what is other about a group than before. */
export function noteGroupUpdate(
  tx: Tx,
  world: GroupWorld,
  { actor, before, after }: { actor: Pick<UserRecord, "id">; before: GroupRecord; after: GroupRecord },
): void {
  const note = (action: AuditAction, details: AuditDetails = {}) =>
    noteGroup(tx, world, { actor, group: after, action, details });
  if (before.deactivated && !after.deactivated) note("group_reactivated");
  const permissions = Object.keys({ ...before.permissions, ...after.permissions });
  const details = {
    ...differencesOf(before, after, ["name", "description"]),
    ...differencesOf(before.permissions, after.permissions, permissions),
  };
  if (Object.keys(details).length > 0) note("group_changed", details);
}
