import type { GroupSetting } from "../group_setting.ts";
import { isGuest, type UserRecord } from "../users/user.ts";
import type { PermissionContext } from "./group_world.ts";
import { type PermissionOwner, type PermissionRule, permissionRule } from "./registry.ts";
import {
  directSubgroupId,
  isDirectMember,
  isInSystemGroup,
  systemGroupId,
  systemGroupName,
} from "./system_groups.ts";

/** Whether an account belongs to a group, itself or by way of the groups in it. */
export function isMember(permissions: PermissionContext, groupId: number, user: UserRecord): boolean {
  for (const id of walkDown(permissions, [groupId])) {
    const name = systemGroupName(permissions.realm, id);
    const isInside = name === null
      ? permissions.groups.get(id)?.members.includes(user.id) === true
      : isInSystemGroup(name, user, permissions);
    if (isInside) return true;
  }
  return false;
}

/** Whether an account stands in a group itself. */
export function isMemberItself(permissions: PermissionContext, groupId: number, user: UserRecord): boolean {
  const name = systemGroupName(permissions.realm, groupId);
  if (name !== null) return isDirectMember(name, user, permissions);
  return permissions.groups.get(groupId)?.members.includes(user.id) === true;
}

/** The accounts among `users` that belong to a group, as `isMember` says of each, in their order. */
export function membersAmong(
  permissions: PermissionContext,
  groupId: number,
  users: readonly UserRecord[],
): readonly UserRecord[] {
  const below = [...walkDown(permissions, [groupId])];
  const names = below.map((id) => systemGroupName(permissions.realm, id)).filter((name) => name !== null);
  const ids = new Set(below.flatMap((id) => permissions.groups.get(id)?.members ?? []));
  return users.filter((user) =>
    ids.has(user.id) || names.some((name) => isInSystemGroup(name, user, permissions))
  );
}

/** The groups that a group holds itself, by their ids; none where there is no such group. */
export function directSubgroups(permissions: PermissionContext, groupId: number): readonly number[] {
  const name = systemGroupName(permissions.realm, groupId);
  if (name === null) return permissions.groups.get(groupId)?.subgroups ?? [];
  const subgroup = directSubgroupId(permissions.realm, name);
  return subgroup === null ? [] : [subgroup];
}

/** Groups and those in them at any distance, each once; without recursion, so that no depth is too great. */
function* walkDown(permissions: PermissionContext, groupIds: readonly number[]): Generator<number> {
  const seen = new Set(groupIds);
  // A set is walked in the order in which it grows.
  for (const id of seen) {
    yield id;
    for (const subgroup of directSubgroups(permissions, id)) seen.add(subgroup);
  }
}

/** Whether a value of a permission names an account. */
export function isNamed(permissions: PermissionContext, value: GroupSetting, user: UserRecord): boolean {
  if (typeof value === "number") return isMember(permissions, value, user);
  return value.direct_members.includes(user.id) ||
    value.direct_subgroups.some((group) => isMember(permissions, group, user));
}

/** Whether an account holds a permission; guests never hold one that everyone could not be given. */
export function holds(
  permissions: PermissionContext,
  { rule, value }: { rule: PermissionRule; value: GroupSetting },
  user: UserRecord,
): boolean {
  if (isGuest(user) && isClosedToGuests(rule)) return false;
  return isNamed(permissions, value, user);
}

function isClosedToGuests({ refuses, takesOnly }: PermissionRule): boolean {
  return refuses.includes("role:everyone") ||
    (takesOnly !== undefined && !takesOnly.includes("role:everyone"));
}

/** What has permissions of its own. */
export interface HasPermissions {
  readonly permissions: Readonly<Record<string, GroupSetting>>;
}

/** The value of a permission; what was never set has its default. */
export function permissionValue(
  permissions: PermissionContext,
  owner: HasPermissions,
  { setting, byDefault }: PermissionRule,
): GroupSetting {
  const value = owner.permissions[setting];
  return value ?? systemGroupId(permissions.realm, byDefault === "creator" ? "role:nobody" : byDefault);
}

/** Whether an account holds a permission of the organization. */
export function mayInRealm(permissions: PermissionContext, setting: string, user: UserRecord): boolean {
  return mayWith(permissions, { kind: "realm", setting, owner: permissions.realm }, user);
}

/** Whether an account holds a permission of something that has its own. */
export function mayWith(
  permissions: PermissionContext,
  { kind, setting, owner }: { kind: PermissionOwner; setting: string; owner: HasPermissions },
  user: UserRecord,
): boolean {
  const rule = permissionRule(kind, setting);
  return holds(permissions, { rule, value: permissionValue(permissions, owner, rule) }, user);
}

/** Groups and the groups in them at any distance. */
export function groupsBelow(
  permissions: PermissionContext,
  groupIds: readonly number[],
): ReadonlySet<number> {
  return new Set(walkDown(permissions, groupIds));
}

/** The groups that hold a group, itself included, at any distance. */
export function groupsAbove(permissions: PermissionContext, groupId: number): ReadonlySet<number> {
  const above = new Set([groupId]);
  // A set is walked in the order in which it grows.
  for (const id of above) {
    for (const group of permissions.groups.values()) if (group.subgroups.includes(id)) above.add(group.id);
  }
  return above;
}
