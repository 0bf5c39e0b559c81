import { AppError } from "@/lib/core/errors.ts";
import type { ChatApp } from "../app.ts";
import { sortedSet } from "../group_setting.ts";
import { peekPermissionContext } from "../permissions/group_world.ts";
import {
  directSubgroups,
  groupsBelow,
  isMember,
  isMemberItself,
  membersAmong,
} from "../permissions/membership.ts";
import type { RealmRecord } from "../realm/realm.ts";
import { listUsers, readUser } from "../users/store.ts";
import type { UserRecord } from "../users/user.ts";
import { requireGroup } from "./access.ts";

/** A group, and whether only what is in it itself counts. */
export interface MembersQuestion {
  readonly groupId: number;
  readonly isDirectOnly: boolean;
}

/**
 * The active accounts in a group, by id.
 * @throws AppError BAD_REQUEST for an unknown group.
 */
export async function listGroupMembers(
  app: ChatApp,
  realm: RealmRecord,
  { groupId, isDirectOnly }: MembersQuestion,
): Promise<readonly UserRecord[]> {
  const permissions = await peekPermissionContext(app, realm);
  requireGroup(permissions, groupId);
  const users = (await listUsers(app, realm.id)).filter((user) => user.is_active);
  if (!isDirectOnly) return membersAmong(permissions, groupId, users);
  return users.filter((user) => isMemberItself(permissions, groupId, user));
}

/**
 * Whether an active account is in a group.
 * @throws AppError BAD_REQUEST for an unknown group or account, or a deactivated account.
 */
export async function isGroupMember(
  app: ChatApp,
  realm: RealmRecord,
  { groupId, userId, isDirectOnly }: MembersQuestion & { userId: number },
): Promise<boolean> {
  const permissions = await peekPermissionContext(app, realm);
  requireGroup(permissions, groupId);
  const user = await readUser(app, realm.id, userId);
  if (user === null) throw new AppError("BAD_REQUEST", "No such user");
  if (!user.is_active) throw new AppError("BAD_REQUEST", "User is deactivated");
  return isDirectOnly ? isMemberItself(permissions, groupId, user) : isMember(permissions, groupId, user);
}

/**
 * The ids of the groups in a group, ascending, itself left out.
 * @throws AppError BAD_REQUEST for an unknown group.
 */
export async function listSubgroups(
  app: ChatApp,
  realm: RealmRecord,
  { groupId, isDirectOnly }: MembersQuestion,
): Promise<readonly number[]> {
  const permissions = await peekPermissionContext(app, realm);
  requireGroup(permissions, groupId);
  if (isDirectOnly) return directSubgroups(permissions, groupId);
  return sortedSet([...groupsBelow(permissions, [groupId])]).filter((id) => id !== groupId);
}
