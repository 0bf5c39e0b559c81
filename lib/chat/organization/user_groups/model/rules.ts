import {
  byOwner,
  byRealm,
  findGrant,
  type PermissionGrant,
} from "@/lib/chat/organization/permissions/model/grants.ts";
import { sortedUnique } from "@/lib/chat/organization/permissions/model/group_setting.ts";
import {
  insufficientPermission,
  type PermissionContext,
  transitiveSubgroups,
} from "@/lib/chat/organization/permissions/model/membership.ts";
import { systemGroupName } from "@/lib/chat/organization/permissions/model/system_groups.ts";
import type { UserRecord } from "@/lib/chat/organization/users/model.ts";
import { AppError } from "@/lib/core/errors.ts";
import { requireName } from "@/lib/core/names.ts";
import { codePointLength } from "@/lib/core/text.ts";
import { type GroupRecord, MAX_GROUP_MEMBERS, MAX_GROUP_NAME } from "./group.ts";

const MANAGE: readonly PermissionGrant[] = [byRealm("can_manage_all_groups"), byOwner("can_manage_group")];

/** Grants of the permissions that not only the group's own value decides. */
const GRANTS: Readonly<Record<string, readonly PermissionGrant[]>> = {
  can_manage_group: MANAGE,
  can_add_members_group: [...MANAGE, byOwner("can_add_members_group")],
  can_remove_members_group: [...MANAGE, byOwner("can_remove_members_group")],
  can_join_group: [...MANAGE, byOwner("can_add_members_group"), byOwner("can_join_group")],
  can_leave_group: [...MANAGE, byOwner("can_remove_members_group"), byOwner("can_leave_group")],
};

/** Returns the grants of a group's permission; a user needs one of them. */
export function listGroupGrants(setting: string): readonly PermissionGrant[] {
  return GRANTS[setting] ?? [byOwner(setting)];
}

/** Permissions of a group that control its members and settings. */
export type GroupPermission =
  | "can_add_members_group"
  | "can_join_group"
  | "can_leave_group"
  | "can_manage_group"
  | "can_remove_members_group";

/** Whether a user has a permission of a group. */
export function hasGroupPermission(
  permissions: PermissionContext,
  owner: GroupRecord,
  { user, setting }: { user: UserRecord; setting: GroupPermission },
): boolean {
  const grants = listGroupGrants(setting);
  return findGrant(permissions, { kind: "user_group", owner, grants }, user) !== null;
}

const MAX_GROUP_SUBGROUPS = 1000;

/** Prefixes reserved for mentions and system groups. */
const RESERVED_PREFIXES = ["@", "role:", "user:", "stream:", "channel:"];

/** @throws AppError BAD_REQUEST for an unknown group and for a system group, which cannot be edited. */
export function getCustomGroup(permissions: PermissionContext, id: number): GroupRecord {
  const group = permissions.groups.get(id);
  if (group !== undefined) return group;
  requireGroup(permissions, id);
  throw insufficientPermission();
}

/** @throws AppError BAD_REQUEST for an unknown group or a missing permission. */
export function getPermittedGroup(
  permissions: PermissionContext,
  id: number,
  { actingUser, settings }: { actingUser: UserRecord; settings: readonly GroupPermission[] },
): GroupRecord {
  const group = getCustomGroup(permissions, id);
  const wanted: readonly GroupPermission[] = ["can_manage_group", ...settings];
  if (!wanted.some((setting) => hasGroupPermission(permissions, group, { user: actingUser, setting }))) {
    throw insufficientPermission();
  }
  return group;
}

/** @throws AppError BAD_REQUEST. */
export function requireGroup(permissions: PermissionContext, id: number): void {
  if (systemGroupName(permissions.realm, id) !== null || permissions.groups.has(id)) return;
  throw new AppError("BAD_REQUEST", "Invalid user group");
}

/** @throws AppError BAD_REQUEST. */
export function requireGroupName(name: string): void {
  if (name.trim() === "") {
    throw new AppError("BAD_REQUEST", "User group name can't be empty!", { field: "name" });
  }
  if (codePointLength(name) > MAX_GROUP_NAME) {
    throw new AppError("BAD_REQUEST", `User group name cannot exceed ${MAX_GROUP_NAME} characters.`, {
      field: "name",
    });
  }
  const prefix = RESERVED_PREFIXES.find((barred) => name.startsWith(barred));
  if (prefix !== undefined) {
    throw new AppError("BAD_REQUEST", `User group name cannot start with '${prefix}'.`, { field: "name" });
  }
  requireName(name, "user group name", { field: "name" });
}

/** @throws AppError BAD_REQUEST. */
export function requireMemberCount(count: number): void {
  if (count > MAX_GROUP_MEMBERS) {
    throw new AppError("BAD_REQUEST", `A user group can have ${MAX_GROUP_MEMBERS} members at most.`);
  }
}

/** Whether a user may add others to a group. */
export function mayAddMembers(permissions: PermissionContext, groupId: number, user: UserRecord): boolean {
  const group = permissions.groups.get(groupId);
  return group !== undefined &&
    hasGroupPermission(permissions, group, { user, setting: "can_add_members_group" });
}

/** @throws AppError BAD_REQUEST. */
export function requireSubgroupCount(count: number): void {
  if (count > MAX_GROUP_SUBGROUPS) {
    throw new AppError("BAD_REQUEST", `A user group can hold ${MAX_GROUP_SUBGROUPS} groups at most.`);
  }
}

/** @throws AppError BAD_REQUEST. */
export function requireSubgroups(permissions: PermissionContext, ids: readonly number[]): void {
  const named = ids.filter((id) => systemGroupName(permissions.realm, id) === null);
  const unknown = named.find((id) => !permissions.groups.has(id));
  if (unknown !== undefined) throw new AppError("BAD_REQUEST", `Invalid user group ID: ${unknown}`);
  if (named.some((id) => permissions.groups.get(id)?.deactivated)) {
    throw new AppError("BAD_REQUEST", "User group is deactivated.");
  }
}

/** @throws AppError BAD_REQUEST for an existing member and for too many members. */
export function withMembers(group: GroupRecord, ids: readonly number[]): GroupRecord {
  const before = new Set(group.members);
  const known = ids.find((id) => before.has(id));
  if (known !== undefined) {
    throw new AppError("BAD_REQUEST", `User ${known} is already a member of this group`);
  }
  const members = sortedUnique([...group.members, ...ids]);
  requireMemberCount(members.length);
  return { ...group, members };
}

/** @throws AppError BAD_REQUEST for a user who is not a member. */
export function withoutMembers(group: GroupRecord, ids: readonly number[]): GroupRecord {
  const before = new Set(group.members);
  const missing = ids.find((id) => !before.has(id));
  if (missing !== undefined) {
    throw new AppError("BAD_REQUEST", `There is no member '${missing}' in this user group`);
  }
  const removed = new Set(ids);
  return { ...group, members: group.members.filter((id) => !removed.has(id)) };
}

/** @throws AppError BAD_REQUEST for an existing subgroup, for a cycle and for too many subgroups. */
export function withSubgroups(
  group: GroupRecord,
  ids: readonly number[],
  permissions: PermissionContext,
): GroupRecord {
  const known = ids.find((id) => group.subgroups.includes(id));
  if (known !== undefined) {
    throw new AppError("BAD_REQUEST", `User group ${known} is already a subgroup of this group.`);
  }
  if (transitiveSubgroups(permissions, ids).has(group.id)) {
    throw new AppError(
      "BAD_REQUEST",
      `User group ${group.id} is already a subgroup of one of the passed subgroups.`,
    );
  }
  const subgroups = sortedUnique([...group.subgroups, ...ids]);
  requireSubgroupCount(subgroups.length);
  return { ...group, subgroups };
}

/** @throws AppError BAD_REQUEST for a group that is not a subgroup. */
export function withoutSubgroups(group: GroupRecord, ids: readonly number[]): GroupRecord {
  const missing = ids.find((id) => !group.subgroups.includes(id));
  if (missing !== undefined) {
    throw new AppError("BAD_REQUEST", `User group ${missing} is not a subgroup of this group.`);
  }
  return { ...group, subgroups: group.subgroups.filter((id) => !ids.includes(id)) };
}

/** Returns the permission context with one group replaced by its uncommitted version. */
export function withGroup(permissions: PermissionContext, group: GroupRecord): PermissionContext {
  return { ...permissions, groups: new Map(permissions.groups).set(group.id, group) };
}
