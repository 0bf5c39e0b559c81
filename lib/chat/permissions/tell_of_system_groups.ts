import type { StoredEvent } from "../events/emit.ts";
import { chunkIds } from "../events/in_events.ts";
import type { UserRecord } from "../users/user.ts";
import type { PermissionContext } from "./group_world.ts";
import { isDirectMember, SYSTEM_GROUPS, systemGroupId } from "./system_groups.ts";

/** An account before and after a change; before is null for a new one. */
export interface AccountStep {
  readonly before: UserRecord | null;
  readonly after: UserRecord;
}

/** That accounts come into a group, or leave it. */
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

/** That accounts become full members, or no longer are, when it is decided otherwise who is one. */
export function toFullMemberEvents(
  { before, after }: { before: PermissionContext; after: PermissionContext },
  users: readonly UserRecord[],
): readonly StoredEvent[] {
  const name = "role:fullmembers";
  const isIn = (user: UserRecord, permissions: PermissionContext) =>
    user.is_active && isDirectMember(name, user, permissions);
  const id = systemGroupId(after.realm, name);
  const gone = users.filter((user) => isIn(user, before) && !isIn(user, after));
  const come = users.filter((user) => !isIn(user, before) && isIn(user, after));
  return [
    ...toMemberEvents("remove_members", id, gone.map((user) => user.id)),
    ...toMemberEvents("add_members", id, come.map((user) => user.id)),
  ];
}

/** That accounts leave the groups of their role, and come into others: those that are not active stand in none. */
export function toRoleEvents(
  permissions: Pick<PermissionContext, "realm" | "now">,
  steps: readonly AccountStep[],
): readonly StoredEvent[] {
  return SYSTEM_GROUPS.flatMap(({ name }) => {
    const isIn = (user: UserRecord | null) =>
      user !== null && user.is_active && user.is_system_bot !== true &&
      isDirectMember(name, user, permissions);
    const id = systemGroupId(permissions.realm, name);
    const gone = steps.filter(({ before, after }) => isIn(before) && !isIn(after));
    const come = steps.filter(({ before, after }) => !isIn(before) && isIn(after));
    return [
      ...toMemberEvents("remove_members", id, gone.map(({ after }) => after.id)),
      ...toMemberEvents("add_members", id, come.map(({ after }) => after.id)),
    ];
  });
}
