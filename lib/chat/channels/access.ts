import { AppError } from "@/lib/core/errors.ts";
import type { Tx } from "@/lib/kv/transact.ts";
import type { ChatApp } from "../app.ts";
import type { PermissionContext } from "../permissions/group_world.ts";
import { mayWith } from "../permissions/membership.ts";
import type { RealmRecord } from "../realm/realm.ts";
import { allowsSpectators } from "../realm/spectators.ts";
import { isAdmin, isGuest, type UserRecord } from "../users/user.ts";
import { channelKeys, type ChannelRecord, type SubscriptionRecord } from "./channel.ts";

/** The permissions that let people know of a private channel. */
export const METADATA_PERMISSIONS = [
  "can_add_subscribers_group",
  "can_administer_channel_group",
  "can_subscribe_group",
] as const;

/** Somebody before a channel. */
export interface ChannelVisitor {
  readonly channel: ChannelRecord;
  readonly user: UserRecord;
  readonly isSubscribed: boolean;
}

/**
 * Whether somebody may read what is said in a channel: whoever is subscribed, everybody where it is web-public, and who
 * is no guest where it is public or where he may subscribe himself or others.
 */
export function hasContentAccess(
  permissions: PermissionContext,
  { channel, user, isSubscribed }: ChannelVisitor,
): boolean {
  if (isSubscribed || channel.is_web_public) return true;
  if (isGuest(user)) return false;
  return !channel.invite_only ||
    ["can_subscribe_group", "can_add_subscribers_group"].some((setting) =>
      may(permissions, { channel, user }, setting)
    );
}

/** Whether somebody may know of a channel: who may read it, or administers it or the organization. */
export function hasMetadataAccess(permissions: PermissionContext, visitor: ChannelVisitor): boolean {
  return hasContentAccess(permissions, visitor) || mayAdminister(permissions, visitor);
}

/** Whether somebody may change a channel. */
export function mayAdminister(
  permissions: PermissionContext,
  visitor: Pick<ChannelVisitor, "channel" | "user">,
): boolean {
  return isAdmin(visitor.user) || may(permissions, visitor, "can_administer_channel_group");
}

/** Whether somebody holds a permission of a channel. */
export function may(
  permissions: PermissionContext,
  { channel, user }: Pick<ChannelVisitor, "channel" | "user">,
  setting: string,
): boolean {
  return mayWith(permissions, { kind: "channel", setting, owner: channel }, user);
}

/**
 * A channel as a transaction sees it, and whether an account is subscribed; null where there is none.
 */
export async function readVisitor(
  tx: Pick<Tx, "get">,
  { realmId, channelId, user }: { realmId: number; channelId: number; user: UserRecord },
): Promise<ChannelVisitor | null> {
  const channel = Number.isSafeInteger(channelId)
    ? await tx.get<ChannelRecord>(channelKeys.channel(realmId, channelId))
    : null;
  if (channel === null) return null;
  const key = channelKeys.subscription(realmId, user.id, channelId);
  const subscription = await tx.get<SubscriptionRecord>(key);
  return { channel, user, isSubscribed: subscription?.is_active === true };
}

/** The refusal of a channel that is not there, or that the caller may not know of. */
export function invalidChannel(): AppError {
  return new AppError("BAD_REQUEST", "Invalid channel ID");
}

/**
 * A channel in use that somebody may read; existence is never told apart from lack of access.
 * @throws AppError BAD_REQUEST.
 */
export async function accessChannel(
  tx: Pick<Tx, "get">,
  permissions: PermissionContext,
  { channelId, user }: { channelId: number; user: UserRecord },
): Promise<ChannelVisitor> {
  const visitor = await readVisitor(tx, { realmId: permissions.realm.id, channelId, user });
  if (visitor === null || visitor.channel.is_archived || !hasContentAccess(permissions, visitor)) {
    throw invalidChannel();
  }
  return visitor;
}

/** Whether somebody without an account may read a channel. */
export function isOpenToWeb(
  app: Pick<ChatApp, "config">,
  realm: Pick<RealmRecord, "settings" | "is_deactivated">,
  { is_web_public, is_archived }: Pick<ChannelRecord, "is_web_public" | "is_archived">,
): boolean {
  return is_web_public && !is_archived && allowsSpectators(app, realm);
}

/** A channel that somebody without an account may read; null for every other, and where there is none. */
export async function readOpenChannel(
  app: Pick<ChatApp, "config" | "reads">,
  realm: RealmRecord,
  channelId: number,
): Promise<ChannelRecord | null> {
  const channel = Number.isSafeInteger(channelId)
    ? await app.reads.read<ChannelRecord>(channelKeys.channel(realm.id, channelId))
    : null;
  return channel !== null && isOpenToWeb(app, realm, channel) ? channel : null;
}
