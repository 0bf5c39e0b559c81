import type { GroupSetting } from "../group_setting.ts";
import { isGuest, type UserRecord } from "../users/user.ts";
import type { GroupRecord } from "./group.ts";
import type { GroupWorld } from "./group_world.ts";
import { type PermissionOwner, type PermissionRule, permissionRule } from "./registry.ts";
import { isInSystemGroup, systemGroupId, systemGroupName } from "./system_groups.ts";

/** Whether an account belongs to a group, itself or by way of the groups in it. */
export function isMember(world: GroupWorld, groupId: number, user: UserRecord): boolean {
  return isMemberBelow(world, groupId, { user, seen: new Set() });
}

function isMemberBelow(
  world: GroupWorld,
  groupId: number,
  walk: { readonly user: UserRecord; readonly seen: Set<number> },
): boolean {
  const name = systemGroupName(world.realm, groupId);
  if (name !== null) return isInSystemGroup(name, walk.user, world);
  if (walk.seen.has(groupId)) return false;
  walk.seen.add(groupId);
  const group = world.groups.get(groupId);
  if (group === undefined) return false;
  return group.members.includes(walk.user.id) ||
    group.subgroups.some((subgroup) => isMemberBelow(world, subgroup, walk));
}

/** Whether a value of a permission names an account. */
export function isNamed(world: GroupWorld, value: GroupSetting, user: UserRecord): boolean {
  if (typeof value === "number") return isMember(world, value, user);
  return value.direct_members.includes(user.id) ||
    value.direct_subgroups.some((group) => isMember(world, group, user));
}

/** Whether an account holds a permission; guests never hold one that everyone could not be given. */
export function holds(
  world: GroupWorld,
  { rule, value }: { rule: PermissionRule; value: GroupSetting },
  user: UserRecord,
): boolean {
  if (isGuest(user) && isClosedToGuests(rule)) return false;
  return isNamed(world, value, user);
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
  world: GroupWorld,
  owner: HasPermissions,
  { setting, byDefault }: PermissionRule,
): GroupSetting {
  const value = owner.permissions[setting];
  return value ?? systemGroupId(world.realm, byDefault === "creator" ? "role:nobody" : byDefault);
}

/** Whether an account holds a permission of the organization. */
export function mayInRealm(world: GroupWorld, setting: string, user: UserRecord): boolean {
  return mayWith(world, { kind: "realm", setting, owner: world.realm }, user);
}

/** Whether an account holds a permission of something that has its own. */
export function mayWith(
  world: GroupWorld,
  { kind, setting, owner }: { kind: PermissionOwner; setting: string; owner: HasPermissions },
  user: UserRecord,
): boolean {
  const rule = permissionRule(kind, setting);
  return holds(world, { rule, value: permissionValue(world, owner, rule) }, user);
}

/** The groups that hold a group, itself included, at any distance. */
export function groupsAbove(world: GroupWorld, groupId: number): ReadonlySet<number> {
  const above = new Set([groupId]);
  const queue = [groupId];
  for (let id = queue.pop(); id !== undefined; id = queue.pop()) {
    for (const group of world.groups.values()) {
      if (above.has(group.id) || !group.subgroups.includes(id)) continue;
      above.add(group.id);
      queue.push(group.id);
    }
  }
  return above;
}

/** The groups in a group, itself included, at any distance; system groups as their ids alone. */
export function groupsBelow(world: GroupWorld, groupId: number): ReadonlySet<number> {
  const below = new Set<number>();
  const queue = [groupId];
  for (let id = queue.pop(); id !== undefined; id = queue.pop()) {
    if (below.has(id)) continue;
    below.add(id);
    queue.push(...world.groups.get(id)?.subgroups ?? []);
  }
  return below;
}

/** The group with this id that somebody made, or undefined. */
export function namedGroup(world: GroupWorld, id: number): GroupRecord | undefined {
  return world.groups.get(id);
}
