import type { Clock } from "@/lib/core/clock.ts";
import { realmOf } from "@/lib/chat/organization/organizations/model.ts";
import type { ActivationChange } from "@/lib/chat/organization/app.ts";
import { chunkIds, type StoredEvent } from "@/lib/chat/organization/events/model.ts";
import {
  type GroupSetting,
  isSameGroupSetting,
} from "@/lib/chat/organization/permissions/model/group_setting.ts";
import {
  type HasPermissions,
  type PermissionContext,
  toWirePermissions,
} from "@/lib/chat/organization/permissions/model/membership.ts";
import type { PermissionOwner } from "@/lib/chat/organization/permissions/model/registry.ts";
import {
  isDirectSystemGroupMember,
  SYSTEM_GROUPS,
  systemGroupId,
} from "@/lib/chat/organization/permissions/model/system_groups.ts";
import { groupKeys, type GroupRecord } from "@/lib/chat/organization/user_groups/model/group.ts";
import { userKeys, type UserRecord } from "@/lib/chat/organization/users/model.ts";
import type { Snapshot } from "@/lib/store/snapshot.ts";
import { derived, type Table } from "@/lib/store/table.ts";

/** A permission's value before and after a change, as clients see it. */
interface VisibleChange {
  readonly before: GroupSetting;
  readonly after: GroupSetting;
}

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
): ReadonlyMap<string, VisibleChange> {
  if (!namesAny(owner, change)) return new Map();
  const toVisible = (isActive: boolean) =>
    toWirePermissions(
      permissions,
      { kind, owner },
      (id) => change.userIds.has(id) ? isActive : findUser(permissions, id)?.is_active === true,
    );
  const previous = toVisible(!change.isActive);
  return new Map(
    Object.entries(toVisible(change.isActive)).flatMap(([name, after]) => {
      const before = previous[name] ?? after;
      return isSameGroupSetting(before, after) ? [] : [[name, { before, after }] as const];
    }),
  );
}

/** An account before and after a change; `before` is null for a new account. */
interface RoleTransition {
  readonly before: UserRecord | null;
  readonly after: UserRecord;
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
  transitions: readonly RoleTransition[],
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
