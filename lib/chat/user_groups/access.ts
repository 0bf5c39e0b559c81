import { insufficientPermission } from "../permissions/insufficient.ts";
import { AppError } from "@/lib/core/errors.ts";
import { type GroupRecord } from "../permissions/group.ts";
import type { PermissionContext } from "../permissions/group_world.ts";
import { mayInRealm, mayWith } from "../permissions/membership.ts";
import { systemGroupName } from "../permissions/system_groups.ts";
import type { UserRecord } from "../users/user.ts";

/** A permission of a group. */
export type GroupRight =
  | "can_add_members_group"
  | "can_join_group"
  | "can_leave_group"
  | "can_manage_group"
  | "can_remove_members_group";

/**
 * A group that somebody made.
 * @throws AppError BAD_REQUEST for an unknown one, and for a system group, which nobody edits.
 */
export function getMadeGroup(permissions: PermissionContext, id: number): GroupRecord {
  const group = permissions.groups.get(id);
  if (group !== undefined) return group;
  requireGroup(permissions, id);
  throw insufficientPermission();
}

/**
 * Refuses ids that no group of the organization has.
 * @throws AppError BAD_REQUEST.
 */
export function requireGroup(permissions: PermissionContext, id: number): void {
  if (systemGroupName(permissions.realm, id) !== null || permissions.groups.has(id)) return;
  throw new AppError("BAD_REQUEST", "Invalid user group");
}

/**
 * A group for somebody who may manage all groups, or holds one of these permissions of it or that of managing it.
 * @throws AppError BAD_REQUEST for an unknown group or a missing right.
 */
export function accessGroup(
  permissions: PermissionContext,
  id: number,
  { actingUser, rights }: { actingUser: UserRecord; rights: readonly GroupRight[] },
): GroupRecord {
  const group = getMadeGroup(permissions, id);
  const isAllowed = mayInRealm(permissions, "can_manage_all_groups", actingUser) ||
    [...rights, "can_manage_group"].some((setting) =>
      mayWith(permissions, { kind: "user_group", setting, owner: group }, actingUser)
    );
  if (!isAllowed) throw insufficientPermission();
  return group;
}
