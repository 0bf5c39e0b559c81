import { JsonList } from "@/lib/core/json_list.ts";
import { mapInSlices } from "@/lib/core/map_in_slices.ts";
import { yieldToEventLoop } from "@/lib/core/yield_to_event_loop.ts";
import type { ChatApp } from "../app.ts";
import { filterAccessible } from "../permissions/model/membership.ts";
import type { PermissionContext } from "../permissions/model/permission_context.ts";
import { isFullMember, SYSTEM_GROUPS } from "../permissions/model/system_groups.ts";
import { peekPermissionContext } from "../permissions/store.ts";
import type { Caller, UserRecord } from "../users/model.ts";
import { readUserList } from "../users/store.ts";
import { toSystemGroup, toUserGroup } from "./api.ts";

/** Number of members that are converted before the event loop takes its turn. */
const MEMBERS_AT_ONCE = 20_000;

/** Which groups of an organization are listed. */
interface GroupSelection {
  readonly includeDeactivated: boolean;
}

/** The JSON texts of groups. */
interface GroupTexts {
  readonly size: number;
  readonly texts: readonly string[];
}

/**
 * Lists the groups of an organization in API form, including system groups, ordered by id; their members are
 * those whom the caller can access.
 */
export async function listUserGroups(app: ChatApp, caller: Caller, selection: GroupSelection) {
  const permissions = await peekPermissionContext(app, caller.realm);
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
  const [permissions, list] = await Promise.all([
    peekPermissionContext(app, caller.realm),
    readUserList(app, caller.realm.id),
  ]);
  const { realm, groups, now } = permissions;
  const users = list.active;
  const shownUsers = filterAccessible(permissions, caller.actingUser, users);
  const load = async (): Promise<GroupTexts> => {
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
  return [...system, ...others].sort((one, other) => one.id - other.id);
}

/** Returns the number of groups that are converted at once, each of which may have all users as members. */
function toSlice(users: readonly unknown[]): number {
  return Math.max(1, Math.floor(MEMBERS_AT_ONCE / (users.length + 1)));
}
