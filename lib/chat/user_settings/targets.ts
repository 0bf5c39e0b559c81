import { AppError } from "@/lib/core/errors.ts";
import type { ChatApp } from "../app.ts";
import { sortedSet } from "../group_setting.ts";
import { peekPermissionContext, type PermissionContext } from "../permissions/group_world.ts";
import { membersAmong } from "../permissions/membership.ts";
import { systemGroupName } from "../permissions/system_groups.ts";
import type { RealmRecord } from "../realm/realm.ts";
import { listUsers, readUser } from "../users/store.ts";
import { isBot } from "../users/user.ts";
import type { TargetUsers } from "./params.ts";

/**
 * The ids of the people that are meant, ascending: those named, deactivated or not, and the active members of the groups
 * and of all groups in them. Bots in groups are passed over.
 * @throws AppError BAD_REQUEST for a group that is not there or not in use, a user who is not there, and a bot that is
 * named.
 */
export async function listTargets(
  app: ChatApp,
  realm: RealmRecord,
  { user_ids, group_ids }: TargetUsers,
): Promise<readonly number[]> {
  const members = group_ids.length === 0 ? [] : await listMembers(app, realm, group_ids);
  const named = await Promise.all(user_ids.map((id) => readUser(app, realm.id, id)));
  const missing = user_ids.find((_, at) => {
    const user = named[at] ?? null;
    return user === null || isBot(user);
  });
  if (missing !== undefined) throw new AppError("BAD_REQUEST", `Invalid user ID: ${missing}`);
  return sortedSet([...user_ids, ...members]);
}

async function listMembers(
  app: ChatApp,
  realm: RealmRecord,
  groupIds: readonly number[],
): Promise<readonly number[]> {
  const permissions = await peekPermissionContext(app, realm);
  for (const id of groupIds) requireUsableGroup(permissions, id);
  const people = (await listUsers(app, realm.id)).filter((user) => user.is_active && !isBot(user));
  return groupIds.flatMap((id) => membersAmong(permissions, id, people).map((user) => user.id));
}

function requireUsableGroup({ realm, groups }: PermissionContext, id: number): void {
  if (systemGroupName(realm, id) !== null) return;
  const group = groups.get(id);
  if (group === undefined) throw new AppError("BAD_REQUEST", `Invalid user group ID: ${id}`);
  if (group.deactivated) throw new AppError("BAD_REQUEST", "User group is deactivated.");
}
