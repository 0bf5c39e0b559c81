import { mapValues } from "es-toolkit/object/mapValues";
import { z } from "zod";
import type { ChatApp } from "@/lib/chat/organization/app.ts";
import {
  bool,
  described,
  exact,
  intList,
  optional,
  text,
  withDefault,
} from "@/lib/chat/organization/params/param.ts";
import {
  groupSettingParam,
  groupSettingSchema,
  groupSettingUpdateParam,
} from "@/lib/chat/organization/permissions/model/group_setting.ts";
import {
  directSubgroups,
  filterAccessible,
  type PermissionContext,
  toWirePermissions,
} from "@/lib/chat/organization/permissions/model/membership.ts";
import { PERMISSIONS } from "@/lib/chat/organization/permissions/model/registry.ts";
import {
  isDirectSystemGroupMember,
  isFullMember,
  SYSTEM_GROUPS,
  systemGroupId,
} from "@/lib/chat/organization/permissions/model/system_groups.ts";
import { permissionsOf } from "@/lib/chat/organization/permissions/store.ts";
import {
  type GroupRecord,
  MAX_GROUP_DESCRIPTION,
  MAX_GROUP_NAME,
} from "@/lib/chat/organization/user_groups/model/group.ts";
import type { Caller, UserRecord } from "@/lib/chat/organization/users/model.ts";
import { readUserList, userListOf } from "@/lib/chat/organization/users/store.ts";
import { JsonList } from "@/lib/core/json_pieces.ts";

import { mapInSlices, yieldToEventLoop } from "@/lib/core/yield_to_event_loop.ts";

export const updateGroupParams = {
  ...mapValues(PERMISSIONS.user_group, ({ about }) => groupSettingUpdateParam(about)),
  deactivated: described(optional(bool()), "False reactivates a deactivated group."),
  description: described(optional(text({ max: MAX_GROUP_DESCRIPTION })), "Description of the group."),
  name: described(optional(exact(text())), `Name of the group, at most ${MAX_GROUP_NAME} characters.`),
};

export const createGroupParams = {
  name: described(exact(text()), `Name of the group, at most ${MAX_GROUP_NAME} characters.`),
  description: described(text({ max: MAX_GROUP_DESCRIPTION }), "Description of the group; may be empty."),
  members: described(intList(), "Ids of the group's members."),
  subgroups: described(withDefault(intList(), []), "Ids of the group's subgroups."),
  ...mapValues(PERMISSIONS.user_group, ({ about }) => groupSettingParam(about)),
};

export const editMembersParams = {
  add: described(withDefault(intList(), []), "Ids of users to add."),
  delete: described(withDefault(intList(), []), "Ids of users to remove."),
  add_subgroups: described(withDefault(intList(), []), "Ids of subgroups to add."),
  delete_subgroups: described(withDefault(intList(), []), "Ids of subgroups to remove."),
};

export const editSubgroupsParams = {
  add: described(withDefault(intList(), []), "Ids of subgroups to add."),
  delete: described(withDefault(intList(), []), "Ids of subgroups to remove."),
};

export const listGroupsParams = {
  include_deactivated_groups: described(
    withDefault(bool(), false),
    "Whether deactivated groups are included.",
  ),
};

export const readMembersParams = {
  direct_member_only: described(withDefault(bool(), false), "Whether members of subgroups are excluded."),
};

export const readSubgroupsParams = {
  direct_subgroup_only: described(withDefault(bool(), false), "Whether subgroups of subgroups are excluded."),
};

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

export const userGroupsSchema = z.object({ user_groups: z.array(userGroupSchema) });

export const createdGroupSchema = z.object({ group_id: z.int() });

export const groupMembersSchema = z.object({ members: z.array(z.int()) });

export const groupMembershipSchema = z.object({ is_user_group_member: z.boolean() });

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
function toSystemGroup(
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

/** Number of members that are converted before the event loop takes its turn. */
const MEMBERS_AT_ONCE = 20_000;

interface GroupSelection {
  readonly includeDeactivated: boolean;
}

/** Lists groups in API form, system groups too, by id, with the members whom the caller can access. */
export async function listUserGroups(app: ChatApp, caller: Caller, selection: GroupSelection) {
  const permissions = permissionsOf(await app.readOrganization(caller.realm.id), app.clock);
  const users = (await readUserList(app, caller.realm.id)).active;
  return await toGroups(permissions, selection, {
    users,
    shownUsers: filterAccessible(permissions, caller.actingUser, users),
  });
}

/**
 * Lists groups as `listUserGroups` does, serialized. Callers who can access all users share the texts, which are
 * kept while no group and no user changes and no one becomes a full member.
 */
export async function listUserGroupTexts(
  app: ChatApp,
  caller: Caller,
  selection: GroupSelection,
): Promise<JsonList> {
  const organization = await app.readOrganization(caller.realm.id);
  const permissions = permissionsOf(organization, app.clock);
  const list = userListOf(organization);
  const { realm, groups, now } = permissions;
  const users = list.active;
  const shownUsers = filterAccessible(permissions, caller.actingUser, users);
  const load = async () => {
    // The lists above have taken their part of this turn.
    await yieldToEventLoop();
    const views = await toGroups(permissions, selection, { users, shownUsers });
    const texts = await mapInSlices(views, (view) => JSON.stringify(view), toSlice(users));
    return { texts, size: texts.reduce((size, text) => size + text.length, 0) };
  };
  if (shownUsers !== users) return new JsonList((await load()).texts);
  const fullMembers = users.reduce((count, user) => count + Number(isFullMember(realm, user, now)), 0);
  const name = `group texts ${realm.id} ${selection.includeDeactivated}`;
  return new JsonList((await app.cache.get(name, [groups, list, fullMembers], load)).texts);
}

async function toGroups(
  permissions: PermissionContext,
  { includeDeactivated }: GroupSelection,
  { users, shownUsers }: { users: readonly UserRecord[]; shownUsers: readonly UserRecord[] },
) {
  const active = new Set(users.map(({ id }) => id));
  const shown = new Set(shownUsers.map(({ id }) => id));
  const custom = [...permissions.groups.values()].filter((group) => includeDeactivated || !group.deactivated);
  const system = await mapInSlices(
    SYSTEM_GROUPS,
    (group) => toSystemGroup(permissions, group, shownUsers),
    toSlice(users),
  );
  const others = await mapInSlices(custom, (group) => {
    const view = toUserGroup(permissions, group, (id) => active.has(id));
    return { ...view, members: view.members.filter((id) => shown.has(id)) };
  }, toSlice(users));
  return [...system, ...others].sort((a, b) => a.id - b.id);
}

/** Returns the number of groups that are converted at once, each of which may have all users as members. */
function toSlice(users: readonly unknown[]): number {
  return Math.max(1, Math.floor(MEMBERS_AT_ONCE / (users.length + 1)));
}
