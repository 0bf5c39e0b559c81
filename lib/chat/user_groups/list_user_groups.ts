import { mapInSlices } from "@/lib/core/map_in_slices.ts";
import type { ChatApp } from "../app.ts";
import { filterAccessible } from "../permissions/model/membership.ts";
import { SYSTEM_GROUPS } from "../permissions/model/system_groups.ts";
import { peekPermissionContext } from "../permissions/store.ts";
import type { Caller } from "../users/model.ts";
import { listUsers } from "../users/store.ts";
import { toSystemGroup, toUserGroup } from "./api.ts";

/** Number of members that are converted before the event loop takes its turn. */
const MEMBERS_AT_ONCE = 20_000;

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
  const shownUsers = filterAccessible(permissions, actingUser, users);
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
  return [...system, ...others].sort((one, other) => one.id - other.id);
}

/** Returns the number of groups that are converted at once, each of which may have all users as members. */
function toSlice(users: readonly unknown[]): number {
  return Math.max(1, Math.floor(MEMBERS_AT_ONCE / (users.length + 1)));
}
