import { AppError } from "@/lib/core/errors.ts";
import type { Tx } from "@/lib/kv/transact.ts";
import type { GroupRecord } from "../permissions/group.ts";
import type { PermissionContext } from "../permissions/group_world.ts";
import { accessGroup } from "../user_groups/access.ts";
import { withMembers } from "../user_groups/rules.ts";
import { putGroup, tellOfGroup } from "../user_groups/store.ts";
import type { Newcomer } from "./join_channels.ts";

/** The most groups that one commit puts a newcomer into: their records, of up to 60 KiB, must fit into it. */
export const MAX_GROUPS_AT_ONCE = 5;

/**
 * Puts a newcomer into those of some groups, at most MAX_GROUPS_AT_ONCE, that are in use, have room, and that the inviter may still add people to; everybody
 * is told. The others are passed over: nobody is kept out by a group that changed since the invitation.
 */
export async function joinGroups(
  tx: Tx,
  permissions: PermissionContext,
  { newcomer, groupIds }: { newcomer: Newcomer; groupIds: readonly number[] },
): Promise<void> {
  for (const id of new Set(groupIds)) {
    try {
      const group = withNewcomer(permissions, id, newcomer);
      if (group === null) continue;
      await putGroup(tx, permissions, group);
      tellOfGroup(tx, permissions, { op: "add_members", group_id: id, user_ids: [newcomer.user.id] });
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
    }
  }
}

/**
 * The group with the newcomer in it; null where it is not in use.
 * @throws AppError BAD_REQUEST where the inviter may not add anybody, or nobody fits in.
 */
function withNewcomer(
  permissions: PermissionContext,
  id: number,
  { user, inviter }: Newcomer,
): GroupRecord | null {
  const group = accessGroup(permissions, id, { actingUser: inviter, rights: ["can_add_members_group"] });
  return group.deactivated ? null : withMembers(group, [user.id]);
}
