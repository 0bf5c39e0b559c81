import { mapValues } from "es-toolkit/object/mapValues";
import { z } from "zod";
import { bool, described, exact, intList, optional, text, withDefault } from "../params/param.ts";
import { groupSettingParam, groupSettingSchema, groupSettingUpdateParam } from "../permissions/api.ts";
import { directSubgroups } from "../permissions/model/membership.ts";
import type { PermissionContext } from "../permissions/model/permission_context.ts";
import { PERMISSIONS } from "../permissions/model/registry.ts";
import {
  isDirectSystemGroupMember,
  SYSTEM_GROUPS,
  systemGroupId,
} from "../permissions/model/system_groups.ts";
import { toWirePermissions } from "../permissions/model/wire_setting.ts";
import type { UserRecord } from "../users/model.ts";
import { type GroupRecord, MAX_GROUP_DESCRIPTION, MAX_GROUP_NAME } from "./model/group.ts";

/** Parameters of PATCH /user_groups/{user_group_id}. */
export const updateGroupParams = {
  ...mapValues(PERMISSIONS.user_group, ({ about }) => groupSettingUpdateParam(about)),
  deactivated: described(optional(bool()), "False reactivates a deactivated group."),
  description: described(optional(text({ max: MAX_GROUP_DESCRIPTION })), "Description of the group."),
  name: described(optional(exact(text())), `Name of the group, at most ${MAX_GROUP_NAME} characters.`),
};

/** Parameters of POST /user_groups/create. */
export const createGroupParams = {
  name: described(exact(text()), `Name of the group, at most ${MAX_GROUP_NAME} characters.`),
  description: described(text({ max: MAX_GROUP_DESCRIPTION }), "Description of the group; may be empty."),
  members: described(intList(), "Ids of the group's members."),
  subgroups: described(withDefault(intList(), []), "Ids of the group's subgroups."),
  ...mapValues(PERMISSIONS.user_group, ({ about }) => groupSettingParam(about)),
};

/** Parameters of POST /user_groups/{user_group_id}/members. */
export const editMembersParams = {
  add: described(withDefault(intList(), []), "Ids of users to add."),
  delete: described(withDefault(intList(), []), "Ids of users to remove."),
  add_subgroups: described(withDefault(intList(), []), "Ids of subgroups to add."),
  delete_subgroups: described(withDefault(intList(), []), "Ids of subgroups to remove."),
};

/** Parameters of POST /user_groups/{user_group_id}/subgroups. */
export const editSubgroupsParams = {
  add: described(withDefault(intList(), []), "Ids of subgroups to add."),
  delete: described(withDefault(intList(), []), "Ids of subgroups to remove."),
};

/** Parameters of GET /user_groups. */
export const listGroupsParams = {
  include_deactivated_groups: described(
    withDefault(bool(), false),
    "Whether deactivated groups are included.",
  ),
};

/** Parameters of GET /user_groups/{user_group_id}/members. */
export const readMembersParams = {
  direct_member_only: described(
    withDefault(bool(), false),
    "Whether members of subgroups are excluded.",
  ),
};

/** Parameters of GET /user_groups/{user_group_id}/subgroups. */
export const readSubgroupsParams = {
  direct_subgroup_only: described(
    withDefault(bool(), false),
    "Whether subgroups of subgroups are excluded.",
  ),
};

/** A user group in API responses. */
export const userGroupSchema = z.object({
  id: z.int(),
  name: z.string(),
  description: z.string(),
  members: z.array(z.int()).meta({ description: "Ids of active direct members, ascending." }),
  direct_subgroup_ids: z.array(z.int()).meta({ description: "Ids of direct subgroups, ascending." }),
  creator_id: z.int().nullable(),
  date_created: z.int().nullable().meta({ description: "Seconds since 1970 UTC; null for system groups." }),
  is_system_group: z.boolean(),
  deactivated: z.boolean(),
  ...mapValues(PERMISSIONS.user_group, () => groupSettingSchema),
}).meta({ id: "UserGroup" });

/** Response with all user groups. */
export const userGroupsSchema = z.object({ user_groups: z.array(userGroupSchema) });

/** Response with the id of a new group. */
export const createdGroupSchema = z.object({ group_id: z.int() });

/** Response with the ids of a group's members. */
export const groupMembersSchema = z.object({ members: z.array(z.int()) });

/** Response that states whether a user is a member of a group. */
export const groupMembershipSchema = z.object({ is_user_group_member: z.boolean() });

/** Response with the ids of a group's subgroups. */
export const subgroupsSchema = z.object({ subgroups: z.array(z.int()) });

/** Converts a custom group for the API, without inactive users. */
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

/** Converts a system group for the API; its permissions belong to role:nobody. */
export function toSystemGroup(
  permissions: PermissionContext,
  { name, description }: typeof SYSTEM_GROUPS[number],
  activeUsers: readonly UserRecord[],
) {
  const id = systemGroupId(permissions.realm, name);
  const nobodyId = systemGroupId(permissions.realm, "role:nobody");
  return {
    id,
    name,
    description,
    members: activeUsers.filter((user) => isDirectSystemGroupMember(name, user, permissions))
      .map((user) => user.id),
    direct_subgroup_ids: directSubgroups(permissions, id),
    creator_id: null,
    date_created: null,
    is_system_group: true,
    deactivated: false,
    ...mapValues(PERMISSIONS.user_group, () => nobodyId),
  };
}
