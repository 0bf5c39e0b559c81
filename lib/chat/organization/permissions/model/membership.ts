import type { Snapshot } from "@/lib/store/snapshot.ts";
import type { RealmRecord } from "@/lib/chat/organization/organizations/model.ts";
import type { GroupRecord } from "@/lib/chat/organization/user_groups/model/group.ts";
import { isBot, isGuest, type UserRecord } from "@/lib/chat/organization/users/model.ts";
import { AppError } from "@/lib/core/errors.ts";
import { type GroupSetting, listNamedGroups, normalizeGroupSetting } from "./group_setting.ts";
import { type PermissionOwner, type PermissionRule, permissionRule, permissionRules } from "./registry.ts";
import {
  directSubgroupId,
  isDirectSystemGroupMember,
  isSystemGroupMember,
  systemGroupId,
  systemGroupName,
} from "./system_groups.ts";

/** Realm, groups and clock read for one decision about permissions. */
export interface PermissionContext {
  readonly realm: RealmRecord;
  /** Custom groups by id; system groups are not included. */
  readonly groups: ReadonlyMap<number, GroupRecord>;
  /** Rows of the organization that are in memory; in a transaction, as they were before. */
  readonly organization: Snapshot;
  /** Milliseconds since 1970 UTC. */
  readonly now: number;
}

export interface HasPermissions {
  readonly permissions: Readonly<Record<string, GroupSetting>>;
}

/** Whether a user is a member of a group, directly or through its subgroups. */
export function isMember(permissions: PermissionContext, groupId: number, user: UserRecord): boolean {
  for (const id of walkSubgroups(permissions, [groupId])) {
    if (isInsideItself(permissions, id, user)) return true;
  }
  return false;
}

/** Whether a user is in a group because of the group's own members, or of the role for a system group. */
function isInsideItself(permissions: PermissionContext, groupId: number, user: UserRecord): boolean {
  const name = systemGroupName(permissions.realm, groupId);
  return name === null
    ? permissions.groups.get(groupId)?.members.includes(user.id) === true
    : isSystemGroupMember(name, user, permissions);
}

/** Returns the shortest chain of groups, from the group down, that makes a user a member; null for none. */
export function findMembershipPath(
  permissions: PermissionContext,
  groupId: number,
  user: UserRecord,
): readonly number[] | null {
  const parents = new Map<number, number | null>([[groupId, null]]);
  // Iteration over a map includes entries added meanwhile.
  for (const id of parents.keys()) {
    if (isInsideItself(permissions, id, user)) {
      const path: number[] = [];
      for (let above: number | null = id; above !== null; above = parents.get(above) ?? null) {
        path.unshift(above);
      }
      return path;
    }
    for (const subgroup of directSubgroups(permissions, id)) {
      if (!parents.has(subgroup)) parents.set(subgroup, id);
    }
  }
  return null;
}

/** Reason for which a value includes a user: it names the user, or a group that leads to the user. */
export type Inclusion =
  | { readonly by: "name" }
  | { readonly by: "group"; readonly path: readonly number[] };

/** Lists the reasons for which a value includes a user; empty for a value that does not. */
export function listInclusions(
  permissions: PermissionContext,
  value: GroupSetting,
  user: UserRecord,
): readonly Inclusion[] {
  const isNamed = typeof value !== "number" && value.direct_members.includes(user.id);
  const paths = listNamedGroups(value).map((id) => findMembershipPath(permissions, id, user));
  return [
    ...(isNamed ? [{ by: "name" } as const] : []),
    ...paths.filter((path) => path !== null).map((path) => ({ by: "group", path }) as const),
  ];
}

export function isDirectMember(permissions: PermissionContext, groupId: number, user: UserRecord): boolean {
  const name = systemGroupName(permissions.realm, groupId);
  if (name !== null) return isDirectSystemGroupMember(name, user, permissions);
  return permissions.groups.get(groupId)?.members.includes(user.id) === true;
}

/** Returns the users that are members of a group, directly or through its subgroups, in the given order. */
export function filterMembers(
  permissions: PermissionContext,
  groupId: number,
  users: readonly UserRecord[],
): readonly UserRecord[] {
  const groupIds = [...walkSubgroups(permissions, [groupId])];
  const names = groupIds.map((id) => systemGroupName(permissions.realm, id)).filter((name) => name !== null);
  const ids = new Set(groupIds.flatMap((id) => permissions.groups.get(id)?.members ?? []));
  return users.filter((user) =>
    ids.has(user.id) || names.some((name) => isSystemGroupMember(name, user, permissions))
  );
}

/** Returns the ids of all custom groups that a user is a member of, directly or through their subgroups. */
export function listCustomGroupIds(permissions: PermissionContext, user: UserRecord): number[] {
  const supergroups = new Map<number, number[]>();
  const joined = new Set<number>();
  for (const id of walkSubgroups(permissions, [...permissions.groups.keys()])) {
    if (isInsideItself(permissions, id, user)) joined.add(id);
    for (const subgroup of directSubgroups(permissions, id)) {
      const above = supergroups.get(subgroup);
      if (above === undefined) supergroups.set(subgroup, [id]);
      else above.push(id);
    }
  }
  // Iteration over a set includes elements added meanwhile.
  for (const id of joined) for (const above of supergroups.get(id) ?? []) joined.add(above);
  return [...joined].filter((id) => permissions.groups.has(id));
}

/** Returns the ids of a group's direct subgroups; empty for an unknown group. */
export function directSubgroups(permissions: PermissionContext, groupId: number): readonly number[] {
  const name = systemGroupName(permissions.realm, groupId);
  if (name === null) return permissions.groups.get(groupId)?.subgroups ?? [];
  const subgroup = directSubgroupId(permissions.realm, name);
  return subgroup === null ? [] : [subgroup];
}

export function transitiveSubgroups(
  permissions: PermissionContext,
  groupIds: readonly number[],
): ReadonlySet<number> {
  return new Set(walkSubgroups(permissions, groupIds));
}

/** Returns a group and all groups that contain it, directly or transitively. */
export function transitiveSupergroups(permissions: PermissionContext, groupId: number): ReadonlySet<number> {
  const supergroups = new Set([groupId]);
  // Iteration over a set includes elements added meanwhile.
  for (const id of supergroups) {
    for (const group of permissions.groups.values()) {
      if (group.subgroups.includes(id)) supergroups.add(group.id);
    }
  }
  return supergroups;
}

/** Yields groups and their transitive subgroups, each once, without recursion, as nesting may be deep. */
function* walkSubgroups(permissions: PermissionContext, groupIds: readonly number[]): Generator<number> {
  const visited = new Set(groupIds);
  // Iteration over a set includes elements added meanwhile.
  for (const id of visited) {
    yield id;
    for (const subgroup of directSubgroups(permissions, id)) visited.add(subgroup);
  }
}

export function isClosedToGuests({ rejectedGroups, allowedGroups }: PermissionRule): boolean {
  return rejectedGroups.includes("role:everyone") ||
    (allowedGroups !== undefined && !allowedGroups.includes("role:everyone"));
}

/** Returns the value of a permission, or its default when it was never set. */
export function permissionValue(
  permissions: PermissionContext,
  owner: HasPermissions,
  { setting, defaultGroup }: PermissionRule,
): GroupSetting {
  const value = owner.permissions[setting];
  return value ?? systemGroupId(permissions.realm, defaultGroup === "creator" ? "role:nobody" : defaultGroup);
}

/** Returns the values of all permissions of an owner, by permission name, with defaults filled in. */
export function permissionValues(
  permissions: PermissionContext,
  { kind, owner }: { readonly kind: PermissionOwner; readonly owner: HasPermissions },
): Readonly<Record<string, GroupSetting>> {
  return Object.fromEntries(
    permissionRules(kind).map((rule) => [rule.setting, permissionValue(permissions, owner, rule)]),
  );
}

export function hasRealmPermission(
  permissions: PermissionContext,
  setting: string,
  user: UserRecord,
): boolean {
  return hasPermission(permissions, { kind: "realm", setting, owner: permissions.realm }, user);
}

/** Whether a user has a permission of a channel, a group or the organization. */
export function hasPermission(
  permissions: PermissionContext,
  { kind, setting, owner }: { kind: PermissionOwner; setting: string; owner: HasPermissions },
  user: UserRecord,
): boolean {
  const rule = permissionRule(kind, setting);
  // Guests never have a permission that role:everyone cannot be given.
  if (isGuest(user) && isClosedToGuests(rule)) return false;
  const value = permissionValue(permissions, owner, rule);
  if (typeof value === "number") return isMember(permissions, value, user);
  return value.direct_members.includes(user.id) ||
    value.direct_subgroups.some((group) => isMember(permissions, group, user));
}

/** Returns those of the users who have a permission, in the given order; at once for many users. */
export function filterPermitted(
  permissions: PermissionContext,
  { kind, setting, owner }: { kind: PermissionOwner; setting: string; owner: HasPermissions },
  users: readonly UserRecord[],
): readonly UserRecord[] {
  const rule = permissionRule(kind, setting);
  const value = permissionValue(permissions, owner, rule);
  const named = typeof value === "number" ? [] : value.direct_members;
  const members = listNamedGroups(value).flatMap((id) => filterMembers(permissions, id, users));
  const included = new Set([...named, ...members.map(({ id }) => id)]);
  const isClosed = isClosedToGuests(rule);
  return users.filter((user) => included.has(user.id) && !(isClosed && isGuest(user)));
}

/** Whether a viewer can see an account. An organization can restrict guests to themselves and bots. */
export function canAccessUser(permissions: PermissionContext, viewer: UserRecord, user: UserRecord): boolean {
  return viewer.id === user.id || isBot(user) || canAccessAllUsers(permissions, viewer);
}

/** Returns those of the accounts that a viewer can see, in the given order. */
export function filterAccessible(
  permissions: PermissionContext,
  viewer: UserRecord,
  users: readonly UserRecord[],
): readonly UserRecord[] {
  if (canAccessAllUsers(permissions, viewer)) return users;
  return users.filter((user) => viewer.id === user.id || isBot(user));
}

/** Whether a viewer can see every account. */
export function canAccessAllUsers(permissions: PermissionContext, viewer: UserRecord): boolean {
  return hasRealmPermission(permissions, "can_access_all_users_group", viewer);
}

export function insufficientPermission(): AppError {
  return new AppError("BAD_REQUEST", "Insufficient permission");
}

/** Converts a permission's value to the form clients see: normalized, without inactive users. */
export function toWireSetting(
  realm: RealmRecord,
  value: GroupSetting,
  isActive: (userId: number) => boolean,
): GroupSetting {
  if (typeof value === "number") return value;
  const direct_members = value.direct_members.filter(isActive);
  return normalizeGroupSetting({ ...value, direct_members }, systemGroupId(realm, "role:nobody"));
}

/** Converts all permissions of an owner for clients, by name, with defaults filled in. */
export function toWirePermissions(
  permissions: PermissionContext,
  { kind, owner }: { kind: PermissionOwner; owner: HasPermissions },
  isActive: (userId: number) => boolean,
): Readonly<Record<string, GroupSetting>> {
  return Object.fromEntries(
    permissionRules(kind).map((rule) => [
      rule.setting,
      toWireSetting(permissions.realm, permissionValue(permissions, owner, rule), isActive),
    ]),
  );
}
