import { chunkIds, type StoredEvent } from "../events/model.ts";
import type { UserRecord } from "../users/model.ts";
import type { PermissionContext } from "./model/membership.ts";
import { isDirectSystemGroupMember, SYSTEM_GROUPS, systemGroupId } from "./model/system_groups.ts";

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
