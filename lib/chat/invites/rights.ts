import { AppError } from "@/lib/core/errors.ts";
import type { Tx } from "@/lib/kv/transact.ts";
import { type ChannelVisitor, hasContentAccess, readVisitor } from "../channels/access.ts";
import { defaultChannels } from "../channels/defaults.ts";
import type { PermissionContext } from "../permissions/group_world.ts";
import { mayInRealm } from "../permissions/membership.ts";
import { mayAddOthers } from "../subscriptions/rights.ts";
import { insufficientPermission } from "../permissions/insufficient.ts";
import { accessGroup } from "../user_groups/access.ts";
import { isAdmin, isOwner, ROLE, type Role, type UserRecord } from "../users/user.ts";
import type { InviteOffer } from "./invite.ts";
import { type SentOffer, welcomeText } from "./offer.ts";

/** The permissions of inviting addresses and of making reusable links. */
export type InvitePermission = "can_invite_users_group" | "create_multiuse_invite_group";

/**
 * Lets those through who may invite to a role: to their own or a more restricted one.
 * @throws AppError BAD_REQUEST or UNAUTHORIZED_PRINCIPAL.
 */
export function requireMayInvite(
  permissions: PermissionContext,
  user: UserRecord,
  { permission, role }: { permission: InvitePermission; role: Role },
): void {
  if (!user.is_active || !mayInRealm(permissions, permission, user)) throw insufficientPermission();
  requireOwnerFor(role, user);
  if (role < user.role) throw notAnAdmin();
}

/**
 * Lets those through who may subscribe others to the offered channels, add them to the groups, and greet them.
 * @throws AppError BAD_REQUEST for the first that they may not.
 */
export async function requireMayOffer(
  tx: Tx,
  permissions: PermissionContext,
  { user, sent }: { user: UserRecord; sent: SentOffer },
): Promise<void> {
  await requireMaySubscribe(tx, permissions, { user, channelIds: sent.stream_ids });
  for (const id of sent.group_ids) {
    if (permissions.groups.get(id)?.deactivated === true) {
      throw new AppError("BAD_REQUEST", "Invalid user group");
    }
    accessGroup(permissions, id, { actingUser: user, rights: ["can_add_members_group"] });
  }
  if (welcomeText(sent) !== null && !isAdmin(user)) throw notAnAdmin();
}

async function requireMaySubscribe(
  tx: Tx,
  permissions: PermissionContext,
  { user, channelIds }: { user: UserRecord; channelIds: readonly number[] },
): Promise<void> {
  const visitors: ChannelVisitor[] = [];
  // A commit checks fewer keys than may be named here; a channel that changes at the same moment was offered before.
  const reads: Pick<Tx, "get"> = { get: (key) => tx.peek(key) };
  for (const channelId of new Set(channelIds)) {
    const visitor = await readVisitor(reads, { realmId: permissions.realm.id, channelId, user });
    if (visitor === null || visitor.channel.is_archived || !hasContentAccess(permissions, visitor)) {
      throw new AppError("BAD_REQUEST", `Invalid channel ID ${channelId}. No invites were sent.`);
    }
    visitors.push(visitor);
  }
  const defaults = visitors.length === 0 ? [] : await defaultChannels(tx, permissions.realm.id);
  if (
    visitors.some((visitor) => !defaults.includes(visitor.channel.id) && !mayAddOthers(permissions, visitor))
  ) {
    throw new AppError("BAD_REQUEST", "You do not have permission to subscribe other users to channels.");
  }
}

/**
 * Lets those through who may withdraw or repeat an invitation: who made it, and administrators; for the role of owner,
 * owners alone.
 * @throws AppError BAD_REQUEST or UNAUTHORIZED_PRINCIPAL.
 */
export function requireMayManage(user: UserRecord, { inviter_id, role }: InviteOffer): void {
  if (inviter_id === user.id) return;
  requireOwnerFor(role, user);
  if (!isAdmin(user)) throw notAnAdmin();
}

/** Whether somebody may still invite to the role that he offered; if not, nobody joins by it. */
export function isBacked(
  permissions: PermissionContext,
  inviter: UserRecord,
  { permission, role, created_at }: Pick<InviteOffer, "role" | "created_at"> & {
    permission: InvitePermission;
  },
): boolean {
  return inviter.is_active && !isEndedWith(inviter, { created_at }) && inviter.role <= role &&
    mayInRealm(permissions, permission, inviter);
}

/** Whether an offer ended when its inviter was deactivated; it stays so when he comes back. */
export function isEndedWith(
  { invites_ended_at }: Pick<UserRecord, "invites_ended_at">,
  { created_at }: Pick<InviteOffer, "created_at">,
): boolean {
  return invites_ended_at !== undefined && created_at <= invites_ended_at;
}

function requireOwnerFor(role: Role, user: UserRecord): void {
  if (role === ROLE.owner && !isOwner(user)) {
    throw new AppError("UNAUTHORIZED_PRINCIPAL", "Must be an organization owner");
  }
}

function notAnAdmin(): AppError {
  return new AppError("BAD_REQUEST", "Must be an organization administrator");
}
