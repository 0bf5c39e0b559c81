import { AppError } from "@/lib/core/errors.ts";
import type { Tx } from "@/lib/store/transact.ts";
import { groupKeys, type GroupRecord } from "../user_groups/model/group.ts";
import { userKeys, type UserRecord } from "../users/model.ts";
import type { Clock } from "@/lib/core/clock.ts";
import { realmOf } from "@/lib/chat/organization/organizations/model.ts";
import type { ActivationChange } from "@/lib/chat/organization/app.ts";
import { chunkIds, type StoredEvent } from "@/lib/chat/organization/events/model.ts";
import {
  type GroupSetting,
  type GroupSettingUpdate,
  isSameGroupSetting,
  listNamedGroups,
  normalizeGroupSetting,
} from "./model/group_setting.ts";
import {
  type HasPermissions,
  type PermissionContext,
  permissionValue,
  toWirePermissions,
  toWireSetting,
} from "./model/membership.ts";
import { type PermissionOwner, type PermissionRule, permissionRules } from "./model/registry.ts";
import {
  isDirectSystemGroupMember,
  SYSTEM_GROUPS,
  systemGroupId,
  systemGroupName,
} from "./model/system_groups.ts";
import type { Snapshot } from "@/lib/store/snapshot.ts";
import { derived, type Table } from "@/lib/store/table.ts";

/** Returns what decides permissions in an organization: in a transaction, as it was before. */
export function permissionsOf(organization: Snapshot, clock: Clock): PermissionContext {
  return { realm: realmOf(organization), groups: groupsOf(organization), organization, now: clock.now() };
}

function groupsOf(organization: Snapshot): ReadonlyMap<number, GroupRecord> {
  return toGroupMap(organization.rows<GroupRecord>(groupKeys.groups(organization.realmId)));
}

const toGroupMap = derived((groups: Table<GroupRecord>): ReadonlyMap<number, GroupRecord> =>
  new Map(groups.values().map((group) => [group.id, group]))
);

/** Returns a user of the organization; null if there is none with this id. */
export function findUser({ organization, realm }: PermissionContext, id: number): UserRecord | null {
  return Number.isSafeInteger(id) ? organization.get<UserRecord>(userKeys.user(realm.id, id)) : null;
}

export function isActiveUser(permissions: PermissionContext, id: number): boolean {
  return findUser(permissions, id)?.is_active === true;
}

function listNamedUsers({ permissions }: HasPermissions): readonly number[] {
  return Object.values(permissions).flatMap((value) => typeof value === "number" ? [] : value.direct_members);
}

/** Whether an owner's permissions name any of these users directly. */
export function namesAny(owner: HasPermissions, { userIds }: ActivationChange): boolean {
  return listNamedUsers(owner).some((id) => userIds.has(id));
}

/** Returns the permissions whose visible value changes with the activation of users, by name. */
export function listChangedPermissions(
  permissions: PermissionContext,
  { kind, owner, change }: { kind: PermissionOwner; owner: HasPermissions; change: ActivationChange },
): ReadonlyMap<string, { before: GroupSetting; after: GroupSetting }> {
  if (!namesAny(owner, change)) return new Map();
  const toVisible = (isActive: boolean) =>
    toWirePermissions(
      permissions,
      { kind, owner },
      (id) => change.userIds.has(id) ? isActive : isActiveUser(permissions, id),
    );
  const previous = toVisible(!change.isActive);
  return new Map(
    Object.entries(toVisible(change.isActive)).flatMap(([name, after]) => {
      const before = previous[name] ?? after;
      return isSameGroupSetting(before, after) ? [] : [[name, { before, after }] as const];
    }),
  );
}

export function toMemberEvents(
  op: "add_members" | "remove_members",
  groupId: number,
  userIds: readonly number[],
): StoredEvent[] {
  return chunkIds(userIds).map((user_ids) => ({
    event: { type: "user_group", op, group_id: groupId, user_ids },
    audience: "everyone",
  }));
}

export function toFullMemberEvents(
  { before, after }: { before: PermissionContext; after: PermissionContext },
  users: readonly UserRecord[],
): readonly StoredEvent[] {
  const name = "role:fullmembers";
  const isIn = (user: UserRecord, permissions: PermissionContext) =>
    user.is_active && isDirectSystemGroupMember(name, user, permissions);
  const id = systemGroupId(after.realm, name);
  const leaving = users.filter((user) => isIn(user, before) && !isIn(user, after));
  const joining = users.filter((user) => !isIn(user, before) && isIn(user, after));
  return [
    ...toMemberEvents("remove_members", id, leaving.map((user) => user.id)),
    ...toMemberEvents("add_members", id, joining.map((user) => user.id)),
  ];
}

/** Returns the events for users who changed system groups with their role. Inactive users are in no group. */
export function toRoleEvents(
  permissions: Pick<PermissionContext, "realm" | "now">,
  transitions: readonly { readonly before: UserRecord | null; readonly after: UserRecord }[],
): readonly StoredEvent[] {
  return SYSTEM_GROUPS.flatMap(({ name }) => {
    const isIn = (user: UserRecord | null) =>
      user !== null && user.is_active && user.is_system_bot !== true &&
      isDirectSystemGroupMember(name, user, permissions);
    const id = systemGroupId(permissions.realm, name);
    const leaving = transitions.filter(({ before, after }) => isIn(before) && !isIn(after));
    const joining = transitions.filter(({ before, after }) => !isIn(before) && isIn(after));
    return [
      ...toMemberEvents("remove_members", id, leaving.map(({ after }) => after.id)),
      ...toMemberEvents("add_members", id, joining.map(({ after }) => after.id)),
    ];
  });
}

/** Users that one permission names directly, so that all permissions of an owner fit into its record. */
export const MAX_DIRECT_MEMBERS = 1000;
/** Groups beside users in one permission, so that changing all of an owner fits into one commit. */
export const MAX_DIRECT_SUBGROUPS = 30;

interface PermissionHolder extends HasPermissions {
  readonly kind: PermissionOwner;
  readonly id: number;
  /** Set for a deactivated or archived owner, whose permissions keep no group from being deactivated. */
  readonly isInactive?: boolean;
}

export type RequestedPermissions<T> = Readonly<Record<string, T | undefined>>;

/**
 * Validates changes of permissions in the registry's order and updates the index of group uses. A value equal
 * to the visible one is neither validated nor changed. The caller writes the owner's record.
 * @throws AppError EXPECTATION_MISMATCH, SYSTEM_GROUP_REQUIRED or BAD_REQUEST.
 */
export function changePermissions(
  tx: Tx,
  permissions: PermissionContext,
  { holder, updates }: { holder: PermissionHolder; updates: RequestedPermissions<GroupSettingUpdate> },
): Readonly<Record<"permissions" | "changed", Readonly<Record<string, GroupSetting>>>> {
  const changed: Record<string, GroupSetting> = {};
  const nobodyId = systemGroupId(permissions.realm, "role:nobody");
  for (const rule of permissionRules(holder.kind)) {
    const update = updates[rule.setting];
    if (update === undefined) continue;
    const stored = permissionValue(permissions, holder, rule);
    const current = toWireSetting(permissions.realm, stored, (id) => isActiveUser(permissions, id));
    if (
      update.old !== undefined && !isSameGroupSetting(normalizeGroupSetting(update.old, nobodyId), current)
    ) {
      throw new AppError("EXPECTATION_MISMATCH", "'old' value does not match the expected value.", {
        extra: { field_name: "old" },
      });
    }
    const value = normalizeGroupSetting(update.new, nobodyId);
    if (isSameGroupSetting(value, current)) continue;
    requireValidValue(permissions, { rule, sent: update.new, value });
    changed[rule.setting] = value;
  }
  const values = { ...holder.permissions, ...changed };
  if (holder.isInactive !== true) updateGroupUses(tx, permissions, { holder, after: values });
  return { permissions: values, changed };
}

/** @throws AppError SYSTEM_GROUP_REQUIRED or BAD_REQUEST. */
export function createPermissions(
  tx: Tx,
  permissions: PermissionContext,
  { kind, id, sent, creatorId }: {
    kind: PermissionOwner;
    id: number;
    sent: RequestedPermissions<GroupSetting>;
    creatorId: number;
  },
): Readonly<Record<string, GroupSetting>> {
  const values: Record<string, GroupSetting> = {};
  const nobodyId = systemGroupId(permissions.realm, "role:nobody");
  for (const rule of permissionRules(kind)) {
    const value = sent[rule.setting];
    if (value !== undefined) {
      const normalized = normalizeGroupSetting(value, nobodyId);
      requireValidValue(permissions, { rule, sent: value, value: normalized });
      values[rule.setting] = normalized;
    } else if (rule.defaultGroup === "creator") {
      values[rule.setting] = { direct_members: [creatorId], direct_subgroups: [] };
    } else {
      values[rule.setting] = systemGroupId(permissions.realm, rule.defaultGroup);
    }
  }
  updateGroupUses(tx, permissions, { holder: { kind, id, permissions: {} }, after: values });
  return values;
}

/**
 * Updates the index of the groups that an owner's permissions name; `after` is empty for a deactivated one.
 */
export function updateGroupUses(
  tx: Tx,
  permissions: PermissionContext,
  { holder, after }: { holder: PermissionHolder; after: Readonly<Record<string, GroupSetting>> },
): void {
  const { kind, id } = holder;
  const before = toUses(permissions, holder.permissions);
  const now = toUses(permissions, after);
  const toKey = ({ group, setting }: NamedGroup) =>
    groupKeys.use(permissions.realm.id, { group, kind, owner: id, setting });
  for (const [name, use] of before) if (!now.has(name)) tx.delete(toKey(use));
  for (const [name, use] of now) if (!before.has(name)) tx.set(toKey(use), true);
}

interface NamedGroup {
  readonly group: number;
  readonly setting: string;
}

/** Returns the custom groups that permissions name; system groups cannot be deactivated. */
function toUses(
  { realm }: PermissionContext,
  permissions: Readonly<Record<string, GroupSetting>>,
): Map<string, NamedGroup> {
  const uses = Object.entries(permissions).flatMap(([setting, value]) =>
    listNamedGroups(value).filter((group) => systemGroupName(realm, group) === null).map((group) => ({
      group,
      setting,
    }))
  );
  return new Map(uses.map((use) => [`${use.group} ${use.setting}`, use]));
}

/** Validates a value. `sent` selects the rules: an object that stays one may name any group. */
function requireValidValue(
  permissions: PermissionContext,
  { rule, sent, value }: { rule: PermissionRule; sent: GroupSetting; value: GroupSetting },
): void {
  if (typeof value === "number") return requireValidGroup(permissions, rule, value);
  if (rule.allowedGroups !== undefined) throw systemGroupRequired(rule);
  if (value.direct_members.length > MAX_DIRECT_MEMBERS) {
    throw new AppError("BAD_REQUEST", `A setting can name ${MAX_DIRECT_MEMBERS} users at most.`);
  }
  if (value.direct_subgroups.length > MAX_DIRECT_SUBGROUPS) {
    throw new AppError("BAD_REQUEST", `A setting can name ${MAX_DIRECT_SUBGROUPS} groups at most.`);
  }
  const members = typeof sent === "number" ? [] : sent.direct_members;
  const invalid = members.find((id) => !isActiveUser(permissions, id));
  if (invalid !== undefined) throw new AppError("BAD_REQUEST", `Invalid user ID: ${invalid}`);
  for (const id of value.direct_subgroups) {
    requireActiveGroup(permissions, id, `Invalid user group ID: ${id}`);
  }
}

function requireValidGroup(permissions: PermissionContext, rule: PermissionRule, id: number): void {
  requireActiveGroup(permissions, id, "Invalid user group");
  const name = systemGroupName(permissions.realm, id);
  if (name === null && rule.allowedGroups !== undefined) throw systemGroupRequired(rule);
  if (name === null) return;
  const isRejected = name === "role:internet" || rule.rejectedGroups.includes(name) ||
    (rule.allowedGroups !== undefined && !rule.allowedGroups.includes(name));
  if (isRejected) {
    throw new AppError("BAD_REQUEST", `'${rule.setting}' setting cannot be set to '${name}' group.`, {
      field: rule.setting,
    });
  }
}

/** @throws AppError BAD_REQUEST with `message` for an unknown group, and for a deactivated one. */
export function requireActiveGroup(permissions: PermissionContext, id: number, message: string): void {
  if (systemGroupName(permissions.realm, id) !== null) return;
  const group = permissions.groups.get(id);
  if (group === undefined) throw new AppError("BAD_REQUEST", message);
  if (group.deactivated) throw new AppError("BAD_REQUEST", "User group is deactivated.");
}

function systemGroupRequired({ setting }: PermissionRule): AppError {
  return new AppError("SYSTEM_GROUP_REQUIRED", `'${setting}' must be a system user group.`, {
    field: setting,
    extra: { setting_name: setting },
  });
}
