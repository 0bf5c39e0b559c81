import type { PermissionContext } from "@/lib/chat/permissions/model/permission_context.ts";
import { sendGroupEvent } from "@/lib/chat/user_groups/events.ts";
import type { GroupRecord } from "@/lib/chat/user_groups/model/group.ts";
import { getPermittedGroup, withMembers } from "@/lib/chat/user_groups/model/rules.ts";
import { putGroup } from "@/lib/chat/user_groups/store.ts";
import { AppError } from "@/lib/core/errors.ts";
import type { Tx } from "@/lib/store/transact.ts";
import type { Newcomer } from "./join_channels.ts";

/**
 * Maximum number of groups that a new user joins in one commit, which must hold their records of up to 60
 * KiB.
 */
export const MAX_GROUPS_PER_COMMIT = 5;

/**
 * Adds a new user to groups, at most MAX_GROUPS_PER_COMMIT, and sends the events. Skips groups that are
 * deactivated, full, or that the inviter may no longer add members to.
 */
export function joinOfferedGroups(
  tx: Tx,
  permissions: PermissionContext,
  { newcomer, groupIds }: { newcomer: Newcomer; groupIds: readonly number[] },
): void {
  for (const id of new Set(groupIds)) {
    try {
      const group = withNewcomer(permissions, id, newcomer);
      if (group === null) continue;
      putGroup(tx, permissions, group);
      sendGroupEvent(tx, permissions, { op: "add_members", group_id: id, user_ids: [newcomer.user.id] });
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
    }
  }
}

/**
 * Returns the group with the new user as a member; null if it is deactivated.
 * @throws AppError BAD_REQUEST if the inviter may not add members or the group is full.
 */
function withNewcomer(
  permissions: PermissionContext,
  id: number,
  { user, inviter }: Newcomer,
): GroupRecord | null {
  const group = getPermittedGroup(permissions, id, {
    actingUser: inviter,
    settings: ["can_add_members_group"],
  });
  return group.deactivated ? null : withMembers(group, [user.id]);
}
