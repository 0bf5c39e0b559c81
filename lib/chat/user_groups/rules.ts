import { AppError } from "@/lib/core/errors.ts";
import { codePointLength } from "@/lib/core/text.ts";
import { sortedSet } from "../group_setting.ts";
import { type GroupRecord, MAX_GROUP_MEMBERS } from "../permissions/group.ts";
import type { PermissionContext } from "../permissions/group_world.ts";
import { groupsBelow } from "../permissions/membership.ts";
import { systemGroupName } from "../permissions/system_groups.ts";
import { MAX_GROUP_NAME } from "./params.ts";

/** The most groups that a group holds itself. */
const MAX_GROUP_SUBGROUPS = 1000;

/** What mentions and system groups are told by. */
const BARRED_PREFIXES = ["@", "role:", "user:", "stream:", "channel:"];

/**
 * Refuses names that no group may have; a good name is kept as it is, blanks included.
 * @throws AppError BAD_REQUEST.
 */
export function requireGroupName(name: string): void {
  if (name.trim() === "") throw new AppError("BAD_REQUEST", "User group name can't be empty!");
  if (codePointLength(name) > MAX_GROUP_NAME) {
    throw new AppError("BAD_REQUEST", `User group name cannot exceed ${MAX_GROUP_NAME} characters.`);
  }
  const prefix = BARRED_PREFIXES.find((barred) => name.startsWith(barred));
  if (prefix !== undefined) {
    throw new AppError("BAD_REQUEST", `User group name cannot start with '${prefix}'.`);
  }
}

/**
 * Refuses more members than a group's record holds.
 * @throws AppError BAD_REQUEST.
 */
export function requireMemberRoom(count: number): void {
  if (count > MAX_GROUP_MEMBERS) {
    throw new AppError("BAD_REQUEST", `A user group can have ${MAX_GROUP_MEMBERS} members at most.`);
  }
}

/**
 * Refuses ids of groups that cannot be subgroups: unknown ones first, then deactivated ones.
 * @throws AppError BAD_REQUEST.
 */
export function requireSubgroups(permissions: PermissionContext, ids: readonly number[]): void {
  const named = ids.filter((id) => systemGroupName(permissions.realm, id) === null);
  const unknown = named.find((id) => !permissions.groups.has(id));
  if (unknown !== undefined) throw new AppError("BAD_REQUEST", `Invalid user group ID: ${unknown}`);
  if (named.some((id) => permissions.groups.get(id)?.deactivated)) {
    throw new AppError("BAD_REQUEST", "User group is deactivated.");
  }
}

/**
 * A group with more groups in it.
 * @throws AppError BAD_REQUEST for one that is in it already, for a circle, and for too many.
 */
export function withSubgroups(
  permissions: PermissionContext,
  group: GroupRecord,
  ids: readonly number[],
): GroupRecord {
  const known = ids.find((id) => group.subgroups.includes(id));
  if (known !== undefined) {
    throw new AppError("BAD_REQUEST", `User group ${known} is already a subgroup of this group.`);
  }
  if (groupsBelow(permissions, ids).has(group.id)) {
    throw new AppError(
      "BAD_REQUEST",
      `User group ${group.id} is already a subgroup of one of the passed subgroups.`,
    );
  }
  const subgroups = sortedSet([...group.subgroups, ...ids]);
  requireSubgroupRoom(subgroups.length);
  return { ...group, subgroups };
}

/**
 * Refuses more subgroups than a group's record holds.
 * @throws AppError BAD_REQUEST.
 */
export function requireSubgroupRoom(count: number): void {
  if (count > MAX_GROUP_SUBGROUPS) {
    throw new AppError("BAD_REQUEST", `A user group can hold ${MAX_GROUP_SUBGROUPS} groups at most.`);
  }
}

/**
 * A group with fewer groups in it.
 * @throws AppError BAD_REQUEST for one that is not in it.
 */
export function withoutSubgroups(group: GroupRecord, ids: readonly number[]): GroupRecord {
  const missing = ids.find((id) => !group.subgroups.includes(id));
  if (missing !== undefined) {
    throw new AppError("BAD_REQUEST", `User group ${missing} is not a subgroup of this group.`);
  }
  return { ...group, subgroups: group.subgroups.filter((id) => !ids.includes(id)) };
}

/**
 * A group with more members.
 * @throws AppError BAD_REQUEST for one who is in it already, and for too many.
 */
export function withMembers(group: GroupRecord, ids: readonly number[]): GroupRecord {
  const before = new Set(group.members);
  const known = ids.find((id) => before.has(id));
  if (known !== undefined) {
    throw new AppError("BAD_REQUEST", `User ${known} is already a member of this group`);
  }
  const members = sortedSet([...group.members, ...ids]);
  requireMemberRoom(members.length);
  return { ...group, members };
}

/**
 * A group with fewer members.
 * @throws AppError BAD_REQUEST for one who is not in it.
 */
export function withoutMembers(group: GroupRecord, ids: readonly number[]): GroupRecord {
  const before = new Set(group.members);
  const missing = ids.find((id) => !before.has(id));
  if (missing !== undefined) {
    throw new AppError("BAD_REQUEST", `There is no member '${missing}' in this user group`);
  }
  const gone = new Set(ids);
  return { ...group, members: group.members.filter((id) => !gone.has(id)) };
}
