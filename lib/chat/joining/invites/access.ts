import { AppError } from "@/lib/core/errors.ts";
import type { Key } from "@/lib/store/key.ts";
import type { Tx } from "@/lib/store/transact.ts";
import type { ChatApp } from "@/lib/chat/organization/app.ts";
import { type ChannelViewer, hasContentAccess } from "@/lib/chat/organization/channels/model/access.ts";
import { defaultChannelIds, readChannelViewer } from "@/lib/chat/channels/store.ts";
import { canAddOthers } from "@/lib/chat/channels/subscriptions/model.ts";
import {
  hasRealmPermission,
  insufficientPermission,
  type PermissionContext,
} from "@/lib/chat/organization/permissions/model/membership.ts";
import { permissionsOf } from "@/lib/chat/organization/permissions/store.ts";
import { getPermittedGroup } from "@/lib/chat/organization/user_groups/model/rules.ts";
import {
  type Caller,
  isAdmin,
  isOwner,
  ROLE,
  type Role,
  type UserRecord,
} from "@/lib/chat/organization/users/model.ts";
import { getActingUser, getUser } from "@/lib/chat/organization/users/store.ts";
import {
  getWelcomeText,
  inviteKeys,
  type InviteOffer,
  type InviteRecord,
  isEndedByDeactivation,
  isExpired,
  noSuchInvitation,
  type OfferRequest,
} from "./model.ts";

/** Permissions for inviting addresses and for creating reusable links. */
export type InvitePermission = "can_invite_users_group" | "create_multiuse_invite_group";

/** A pending invitation that the caller may manage. */
interface ManageableInvite {
  readonly invite: InviteRecord;
  readonly offer: InviteOffer;
}

/**
 * @throws AppError BAD_REQUEST, the same for an invitation that the caller cannot list as for none, or
 * UNAUTHORIZED_PRINCIPAL.
 */
export async function getManageableInvite(tx: Tx, caller: Caller, id: number): Promise<ManageableInvite> {
  const realmId = caller.realm.id;
  const invite = await readInviteRecord<InviteRecord>(tx, id, inviteKeys.invite(realmId, id));
  if (invite?.state !== "pending" || invite.via_link_id !== null) throw noSuchInvitation();
  const { offer, user } = await readOffer(tx, caller, invite.offer_id);
  if (offer.inviter_id !== user.id && !isAdmin(user)) throw noSuchInvitation();
  requireCanManageInvite(user, offer);
  return { invite, offer };
}

/** @throws AppError BAD_REQUEST or UNAUTHORIZED_PRINCIPAL. */
export async function getUsableManagedInvite(
  app: ChatApp,
  tx: Tx,
  { caller, id }: { caller: Caller; id: number },
): Promise<ManageableInvite & { permissions: PermissionContext; inviter: UserRecord }> {
  const { invite, offer } = await getManageableInvite(tx, caller, id);
  if (isExpired(offer, app.clock.now())) throw noSuchInvitation();
  const permissions = permissionsOf(await tx.organization(caller.realm.id), app.clock);
  const inviter = await getUser(tx, caller.realm.id, offer.inviter_id);
  const terms = { ...offer, permission: "can_invite_users_group" } as const;
  if (!isInviterAuthorized(permissions, inviter, terms)) throw noSuchInvitation();
  return { invite, offer, permissions, inviter };
}

/** @throws AppError BAD_REQUEST or UNAUTHORIZED_PRINCIPAL. */
export async function getManageableOffer(
  tx: Tx,
  caller: Caller,
  offerId: number,
): Promise<{ offer: InviteOffer; user: UserRecord }> {
  const { offer, user } = await readOffer(tx, caller, offerId);
  requireCanManageInvite(user, offer);
  return { offer, user };
}

async function readOffer(
  tx: Tx,
  { realm, actingUser }: Caller,
  offerId: number,
): Promise<{ offer: InviteOffer; user: UserRecord }> {
  const offer = await tx.get<InviteOffer>(inviteKeys.offer(realm.id, offerId));
  if (offer === null) throw noSuchInvitation();
  return { offer, user: await getActingUser(tx, realm.id, actingUser) };
}

/** Reads the record of an id from a path, which may be any number; returns null if there is none. */
export async function readInviteRecord<T>(tx: Tx, id: number, key: Key): Promise<T | null> {
  return Number.isSafeInteger(id) ? await tx.get<T>(key) : null;
}

/**
 * Requires a user who may invite to a role, which must be their own or a more restricted one.
 * @throws AppError BAD_REQUEST or UNAUTHORIZED_PRINCIPAL.
 */
export function requireCanInvite(
  permissions: PermissionContext,
  user: UserRecord,
  { permission, role }: { permission: InvitePermission; role: Role },
): void {
  if (!user.is_active || !hasRealmPermission(permissions, permission, user)) throw insufficientPermission();
  requireOwnerFor(role, user);
  if (role < user.role) throw administratorRequired();
}

/**
 * Requires a user who may subscribe others to the channels, add them to the groups and set the text.
 * @throws AppError BAD_REQUEST for the first that is not allowed.
 */
export async function requireCanOffer(
  tx: Tx,
  permissions: PermissionContext,
  { user, sent }: {
    user: UserRecord;
    sent: Pick<OfferRequest, "stream_ids" | "group_ids" | "welcome_message_custom_text">;
  },
): Promise<void> {
  await requireCanSubscribe(tx, permissions, { user, channelIds: sent.stream_ids });
  for (const id of sent.group_ids) {
    if (permissions.groups.get(id)?.deactivated === true) {
      throw new AppError("BAD_REQUEST", "Invalid user group");
    }
    getPermittedGroup(permissions, id, { actingUser: user, settings: ["can_add_members_group"] });
  }
  if (getWelcomeText(sent) !== null && !isAdmin(user)) throw administratorRequired();
}

async function requireCanSubscribe(
  tx: Tx,
  permissions: PermissionContext,
  { user, channelIds }: { user: UserRecord; channelIds: readonly number[] },
): Promise<void> {
  const viewers: ChannelViewer[] = [];
  // A commit checks fewer keys than a request may name; a concurrent change counts as one after the
  // invitation.
  const reads: Pick<Tx, "get"> = { get: (key) => tx.peek(key) };
  for (const channelId of new Set(channelIds)) {
    const viewer = await readChannelViewer(reads, { realmId: permissions.realm.id, channelId, user });
    if (viewer === null || viewer.channel.is_archived || !hasContentAccess(permissions, viewer)) {
      throw new AppError("BAD_REQUEST", `Invalid channel ID ${channelId}. No invites were sent.`);
    }
    viewers.push(viewer);
  }
  const defaultIds = viewers.length === 0 ? [] : await defaultChannelIds.get(tx, permissions.realm.id);
  const isAllowed = (viewer: ChannelViewer) =>
    defaultIds.includes(viewer.channel.id) || canAddOthers(permissions, viewer);
  if (!viewers.every(isAllowed)) {
    throw new AppError("BAD_REQUEST", "You do not have permission to subscribe other users to channels.");
  }
}

/** @throws AppError BAD_REQUEST or UNAUTHORIZED_PRINCIPAL. */
export function requireCanManageInvite(user: UserRecord, offer: InviteOffer): void {
  if (canManageInvite(user, offer)) return;
  requireOwnerFor(offer.role, user);
  throw administratorRequired();
}

/** Returns whether a user may change an invitation: the inviter, and administrators; only owners for owners. */
export function canManageInvite(user: UserRecord, { inviter_id, role }: InviteOffer): boolean {
  return inviter_id === user.id || (isAdmin(user) && (role !== ROLE.owner || isOwner(user)));
}

/** Returns whether the inviter may still invite to the offered role, without which no one can join. */
export function isInviterAuthorized(
  permissions: PermissionContext,
  inviter: UserRecord,
  { permission, role, created_at }: Pick<InviteOffer, "role" | "created_at"> & {
    permission: InvitePermission;
  },
): boolean {
  return inviter.is_active && !isEndedByDeactivation(inviter, { created_at }) && inviter.role <= role &&
    hasRealmPermission(permissions, permission, inviter);
}

function requireOwnerFor(role: Role, user: UserRecord): void {
  if (role === ROLE.owner && !isOwner(user)) {
    throw new AppError("UNAUTHORIZED_PRINCIPAL", "Must be an organization owner");
  }
}

function administratorRequired(): AppError {
  return new AppError("BAD_REQUEST", "Must be an organization administrator");
}
