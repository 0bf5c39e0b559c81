import type { ChatApp } from "@/lib/chat/app.ts";
import { type ChannelViewer, hasContentAccess } from "@/lib/chat/channels/model/access.ts";
import { channelKeys, type ChannelRecord } from "@/lib/chat/channels/model/channel.ts";
import { readChannelViewer, readDefaultChannelIds } from "@/lib/chat/channels/store.ts";
import { canAddOthers } from "@/lib/chat/channels/subscriptions/model.ts";
import {
  type SubscribableChannel,
  subscribeUsers,
} from "@/lib/chat/channels/subscriptions/subscribe_users.ts";
import type { PermissionContext } from "@/lib/chat/permissions/model/permission_context.ts";
import type { UserRecord } from "@/lib/chat/users/model.ts";
import type { Tx } from "@/lib/store/transact.ts";
import type { InviteOffer } from "../model.ts";

/** Maximum number of channels that a new user joins in one commit, which must hold all their events. */
export const MAX_CHANNELS_PER_COMMIT = 5;

/** A new user and their inviter. */
export interface Newcomer {
  readonly user: UserRecord;
  readonly inviter: UserRecord;
}

/** A channel of an offer, and whether it is a default channel, which every new user may join. */
export interface OfferedChannel {
  readonly id: number;
  readonly isDefault: boolean;
}

/** Lists the ids of the channels of an offer, each once, the named ones first; some may not be joinable. */
export async function listOfferedChannels(
  tx: Tx,
  realmId: number,
  { channel_ids, include_realm_default_subscriptions }: InviteOffer,
): Promise<readonly number[]> {
  const defaultIds = include_realm_default_subscriptions ? await readDefaultChannelIds(tx, realmId) : [];
  return [...new Set([...channel_ids, ...defaultIds])];
}

/** Marks which channels are default channels now. */
export async function markDefaultChannels(
  tx: Tx,
  realmId: number,
  ids: readonly number[],
): Promise<readonly OfferedChannel[]> {
  const defaultIds = new Set(await readDefaultChannelIds(tx, realmId));
  return ids.map((id) => ({ id, isDefault: defaultIds.has(id) }));
}

/**
 * Subscribes a new user to channels, at most MAX_CHANNELS_PER_COMMIT, and sends the events. Skips archived
 * channels and those that are neither public default channels nor open to the inviter for subscribing others.
 */
export async function joinOfferedChannels(
  app: ChatApp,
  tx: Tx,
  { permissions, newcomer, channels }: {
    permissions: PermissionContext;
    newcomer: Newcomer;
    channels: readonly OfferedChannel[];
  },
): Promise<void> {
  const joinable: SubscribableChannel[] = [];
  for (const channel of channels) {
    const viewer = await readJoinableChannel(tx, permissions, { channel, inviter: newcomer.inviter });
    if (viewer !== null) joinable.push({ name: viewer.channel.name, viewer, color: undefined });
  }
  await subscribeUsers(app, tx, { permissions, channels: joinable, users: [newcomer.user] });
}

/** Reads a channel with the inviter as its viewer; returns null if the new user cannot join it. */
async function readJoinableChannel(
  tx: Tx,
  permissions: PermissionContext,
  { channel: { id, isDefault }, inviter }: { channel: OfferedChannel; inviter: UserRecord },
): Promise<ChannelViewer | null> {
  const realmId = permissions.realm.id;
  const channel = await tx.get<ChannelRecord>(channelKeys.channel(realmId, id));
  if (channel === null || channel.is_archived) return null;
  if (isDefault && !channel.invite_only) return { channel, user: inviter, isSubscribed: false };
  const viewer = await readChannelViewer(tx, { realmId, channelId: id, user: inviter });
  const canJoin = viewer !== null && hasContentAccess(permissions, viewer) &&
    canAddOthers(permissions, viewer);
  return canJoin ? viewer : null;
}
