import { type GroupRecord } from "../permissions/group.ts";
import type { PermissionContext } from "../permissions/group_world.ts";
import { directSubgroups, isMemberItself } from "../permissions/membership.ts";
import { permissionsOf } from "../permissions/registry.ts";
import { SYSTEM_GROUPS, systemGroupId } from "../permissions/system_groups.ts";
import { toWirePermissions } from "../permissions/wire_setting.ts";
import type { UserRecord } from "../users/user.ts";

/** A group that somebody made as the API shows it: without the accounts that are not active. */
export function toUserGroup(
  permissions: PermissionContext,
  group: GroupRecord,
  isActive: (userId: number) => boolean,
) {
  return {
    id: group.id,
    name: group.name,
    description: group.description,
    members: group.members.filter(isActive),
    direct_subgroup_ids: group.subgroups,
    creator_id: group.creator_id,
    date_created: Math.floor(group.date_created / 1000),
    is_system_group: false,
    deactivated: group.deactivated,
    ...toWirePermissions(permissions, { kind: "user_group", owner: group }, isActive),
  };
}

/** A system group as the API shows it; nobody holds a permission of one. */
export function toSystemGroup(
  permissions: PermissionContext,
  { name, description }: typeof SYSTEM_GROUPS[number],
  activeUsers: readonly UserRecord[],
) {
  const id = systemGroupId(permissions.realm, name);
  const nobody = systemGroupId(permissions.realm, "role:nobody");
  return {
    id,
    name,
    description,
    members: activeUsers.filter((user) => isMemberItself(permissions, id, user)).map((user) => user.id),
    direct_subgroup_ids: directSubgroups(permissions, id),
    creator_id: null,
    date_created: null,
    is_system_group: true,
    deactivated: false,
    ...Object.fromEntries(permissionsOf("user_group").map(({ setting }) => [setting, nobody])),
  };
}
