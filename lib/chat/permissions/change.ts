import { AppError } from "@/lib/core/errors.ts";
import type { Tx } from "@/lib/kv/transact.ts";
import {
  type GroupSetting,
  type GroupSettingUpdate,
  groupsOf,
  isSameGroupSetting,
  type NamedUsers,
  normalizeGroupSetting,
} from "../group_setting.ts";
import { userKeys, type UserRecord } from "../users/user.ts";
import { groupKeys } from "./group.ts";
import { bumpGroupsVersion, type PermissionContext } from "./group_world.ts";
import { type HasPermissions, permissionValue } from "./membership.ts";
import { type PermissionOwner, type PermissionRule, permissionsOf } from "./registry.ts";
import { systemGroupId, systemGroupName } from "./system_groups.ts";
import { toWireSetting } from "./wire_setting.ts";

/** The most users that one permission may name one by one: all permissions of one owner fit into its record. */
export const MAX_DIRECT_MEMBERS = 1000;
/** The most groups beside them: changing all permissions of one owner fits into one commit. */
export const MAX_DIRECT_SUBGROUPS = 30;

/** Whose permissions are changed. */
export interface PermissionHolder extends HasPermissions {
  readonly kind: PermissionOwner;
  readonly id: number;
  /** True for what is deactivated or archived: what its permissions name may go out of use as well. */
  readonly isOutOfUse?: boolean;
}

/** What became of a change: all permissions that are set, and those that are other than before. */
export interface PermissionChanges {
  readonly permissions: Readonly<Record<string, GroupSetting>>;
  readonly changed: Readonly<Record<string, GroupSetting>>;
}

/** Values that a request sent for permissions, by their names. */
export type Sent<T> = Readonly<Record<string, T | undefined>>;

/**
 * Checks changes of permissions in the registry's order, and notes which groups they name. What is as clients see it
 * already is neither checked nor changed. The caller writes the owner's record.
 * @throws AppError EXPECTATION_MISMATCH, SYSTEM_GROUP_REQUIRED or BAD_REQUEST.
 */
export async function changePermissions(
  tx: Tx,
  permissions: PermissionContext,
  { holder, updates }: { holder: PermissionHolder; updates: Sent<GroupSettingUpdate> },
): Promise<PermissionChanges> {
  const changed: Record<string, GroupSetting> = {};
  const nobody = systemGroupId(permissions.realm, "role:nobody");
  for (const rule of permissionsOf(holder.kind)) {
    const update = updates[rule.setting];
    if (update === undefined) continue;
    const current = await shownValue(tx, permissions, permissionValue(permissions, holder, rule));
    if (update.old !== undefined && !isSameGroupSetting(normalizeGroupSetting(update.old, nobody), current)) {
      throw new AppError("EXPECTATION_MISMATCH", "'old' value does not match the expected value.", {
        extra: { field_name: "old" },
      });
    }
    const value = normalizeGroupSetting(update.new, nobody);
    if (isSameGroupSetting(value, current)) continue;
    await requireValid(tx, permissions, { rule, sent: update.new, value });
    changed[rule.setting] = value;
  }
  const values = { ...holder.permissions, ...changed };
  if (holder.isOutOfUse !== true) await noteUses(tx, permissions, { holder, after: values });
  return { permissions: values, changed };
}

/** A value as clients were told it, for what they send is held against that. */
async function shownValue(
  tx: Tx,
  permissions: PermissionContext,
  value: GroupSetting,
): Promise<GroupSetting> {
  if (typeof value === "number") return value;
  const users = await peekUsers(tx, permissions, value.direct_members);
  return toWireSetting(permissions.realm, value, (id) => users.get(id)?.is_active === true);
}

async function peekUsers(
  tx: Tx,
  { realm }: PermissionContext,
  ids: readonly number[],
): Promise<ReadonlyMap<number, UserRecord>> {
  const users = await Promise.all(ids.map((id) => tx.peek<UserRecord>(userKeys.user(realm.id, id))));
  return new Map(users.filter((user) => user !== null).map((user) => [user.id, user]));
}

/**
 * The permissions of something new: those that were sent, checked, and for the creator what is his by default.
 * @throws AppError SYSTEM_GROUP_REQUIRED or BAD_REQUEST.
 */
export async function initialPermissions(
  tx: Tx,
  permissions: PermissionContext,
  { kind, id, sent, creatorId }: {
    kind: PermissionOwner;
    id: number;
    sent: Sent<GroupSetting>;
    creatorId: number;
  },
): Promise<Readonly<Record<string, GroupSetting>>> {
  const values: Record<string, GroupSetting> = {};
  const nobody = systemGroupId(permissions.realm, "role:nobody");
  for (const rule of permissionsOf(kind)) {
    const value = sent[rule.setting];
    if (value !== undefined) {
      const normalized = normalizeGroupSetting(value, nobody);
      await requireValid(tx, permissions, { rule, sent: value, value: normalized });
      values[rule.setting] = normalized;
    } else if (rule.byDefault === "creator") {
      values[rule.setting] = { direct_members: [creatorId], direct_subgroups: [] };
    } else {
      values[rule.setting] = systemGroupId(permissions.realm, rule.byDefault);
    }
  }
  await noteUses(tx, permissions, { holder: { kind, id, permissions: {} }, after: values });
  return values;
}

/** Puts down which groups an owner's permissions name; `after` is empty when the owner goes out of use. */
export async function noteUses(
  tx: Tx,
  permissions: PermissionContext,
  { holder, after }: { holder: PermissionHolder; after: Readonly<Record<string, GroupSetting>> },
): Promise<void> {
  const { kind, id } = holder;
  const before = usesOf(permissions, holder.permissions);
  const now = usesOf(permissions, after);
  const toKey = ({ group, setting }: Use) =>
    groupKeys.use(permissions.realm.id, { group, kind, owner: id, setting });
  for (const [name, use] of before) if (!now.has(name)) tx.delete(toKey(use));
  for (const [name, use] of now) if (!before.has(name)) tx.set(toKey(use), true);
  // A group that goes out of use at the same moment must see this use, or this change must see it gone.
  if ([...before.keys(), ...now.keys()].some((name) => before.has(name) !== now.has(name))) {
    await bumpGroupsVersion(tx, permissions.realm.id);
  }
}

interface Use {
  readonly group: number;
  readonly setting: string;
}

/** The groups that permissions name, system groups left out: those are always in use. */
function usesOf(
  { realm }: PermissionContext,
  permissions: Readonly<Record<string, GroupSetting>>,
): Map<string, Use> {
  const uses = Object.entries(permissions).flatMap(([setting, value]) =>
    groupsOf(value).filter((group) => systemGroupName(realm, group) === null).map((group) => ({
      group,
      setting,
    }))
  );
  return new Map(uses.map((use) => [`${use.group} ${use.setting}`, use]));
}

/** `sent` decides which rules hold: inside an object any group may stand, as long as the object stays one. */
async function requireValid(
  tx: Tx,
  permissions: PermissionContext,
  { rule, sent, value }: { rule: PermissionRule; sent: GroupSetting; value: GroupSetting },
): Promise<void> {
  if (typeof value === "number") return requireValidGroup(permissions, rule, value);
  if (rule.takesOnly !== undefined) throw notASystemGroup(rule);
  requireRoom(value);
  const members = typeof sent === "number" ? [] : sent.direct_members;
  const users = await peekUsers(tx, permissions, value.direct_members);
  const invalid = members.find((id) => users.get(id)?.is_active !== true);
  if (invalid !== undefined) throw new AppError("BAD_REQUEST", `Invalid user ID: ${invalid}`);
  for (const id of value.direct_subgroups) {
    requireActiveGroup(permissions, id, `Invalid user group ID: ${id}`);
  }
}

function requireRoom({ direct_members, direct_subgroups }: NamedUsers): void {
  if (direct_members.length > MAX_DIRECT_MEMBERS) {
    throw new AppError("BAD_REQUEST", `A setting can name ${MAX_DIRECT_MEMBERS} users at most.`);
  }
  if (direct_subgroups.length > MAX_DIRECT_SUBGROUPS) {
    throw new AppError("BAD_REQUEST", `A setting can name ${MAX_DIRECT_SUBGROUPS} groups at most.`);
  }
}

function requireValidGroup(permissions: PermissionContext, rule: PermissionRule, id: number): void {
  requireActiveGroup(permissions, id, "Invalid user group");
  const name = systemGroupName(permissions.realm, id);
  if (name === null && rule.takesOnly !== undefined) throw notASystemGroup(rule);
  if (name === null) return;
  const isRefused = name === "role:internet" || rule.refuses.includes(name) ||
    (rule.takesOnly !== undefined && !rule.takesOnly.includes(name));
  if (isRefused) {
    throw new AppError("BAD_REQUEST", `'${rule.setting}' setting cannot be set to '${name}' group.`);
  }
}

function requireActiveGroup(permissions: PermissionContext, id: number, message: string): void {
  if (systemGroupName(permissions.realm, id) !== null) return;
  const group = permissions.groups.get(id);
  if (group === undefined) throw new AppError("BAD_REQUEST", message);
  if (group.deactivated) throw new AppError("BAD_REQUEST", "User group is deactivated.");
}

function notASystemGroup({ setting }: PermissionRule): AppError {
  return new AppError("SYSTEM_GROUP_REQUIRED", `'${setting}' must be a system user group.`, {
    extra: { setting_name: setting },
  });
}
