import { type ChannelVisitor, hasMetadataAccess, may, mayAdminister } from "../channels/access.ts";
import type { PermissionContext } from "../permissions/group_world.ts";
import { mayInRealm } from "../permissions/membership.ts";
import type { UserRecord } from "../users/user.ts";

/** Whether somebody acts for others than himself and his own bots. */
export function actsForOthers(actor: UserRecord, targets: readonly UserRecord[]): boolean {
  return targets.some(({ id, bot_owner_id }) => id !== actor.id && bot_owner_id !== actor.id);
}

/** Whether somebody who may read a channel may subscribe others to it. */
export function mayAddOthers(permissions: PermissionContext, visitor: ChannelVisitor): boolean {
  return mayInRealm(permissions, "can_add_subscribers_group", visitor.user) ||
    may(permissions, visitor, "can_add_subscribers_group") || mayAdminister(permissions, visitor);
}

/** Whether somebody may unsubscribe others from a channel. */
export function mayRemoveOthers(permissions: PermissionContext, visitor: ChannelVisitor): boolean {
  return hasMetadataAccess(permissions, visitor) &&
    (mayAdminister(permissions, visitor) || may(permissions, visitor, "can_remove_subscribers_group"));
}
