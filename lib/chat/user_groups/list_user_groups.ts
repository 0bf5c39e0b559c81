import type { ChatApp } from "../app.ts";
import { canAccessUser } from "../permissions/model/membership.ts";
import { SYSTEM_GROUPS } from "../permissions/model/system_groups.ts";
import { peekPermissionContext } from "../permissions/store.ts";
import type { Caller } from "../users/model.ts";
import { listUsers } from "../users/store.ts";
import { toSystemGroup, toUserGroup } from "./api.ts";

/**
 * Lists the groups of an organization in API form, including system groups, ordered by id; their members are
 * those whom the caller can access.
 */
export async function listUserGroups(
  app: ChatApp,
  { realm, actingUser }: Caller,
  { includeDeactivated }: { includeDeactivated: boolean },
) {
  const permissions = await peekPermissionContext(app, realm);
  const users = (await listUsers(app, realm.id)).filter((user) => user.is_active);
  const shownUsers = users.filter((user) => canAccessUser(permissions, actingUser, user));
  const active = new Set(users.map(({ id }) => id));
  const shown = new Set(shownUsers.map(({ id }) => id));
  const custom = [...permissions.groups.values()].filter((group) => includeDeactivated || !group.deactivated);
  return [
    ...SYSTEM_GROUPS.map((group) => toSystemGroup(permissions, group, shownUsers)),
    ...custom.map((group) => {
      const view = toUserGroup(permissions, group, (id) => active.has(id));
      return { ...view, members: view.members.filter((id) => shown.has(id)) };
    }),
  ].sort((one, other) => one.id - other.id);
}
