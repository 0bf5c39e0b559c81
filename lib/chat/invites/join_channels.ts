import type { Tx } from "@/lib/kv/transact.ts";
import type { ChatApp } from "../app.ts";
import { type ChannelVisitor, hasContentAccess, readVisitor } from "../channels/access.ts";
import { channelKeys, type ChannelRecord } from "../channels/channel.ts";
import { defaultChannels } from "../channels/defaults.ts";
import type { PermissionContext } from "../permissions/group_world.ts";
import { addSubscribers, type JoinableChannel } from "../subscriptions/add.ts";
import { mayAddOthers } from "../subscriptions/rights.ts";
import type { UserRecord } from "../users/user.ts";
import type { InviteOffer } from "./invite.ts";

/** The most channels that one commit subscribes a newcomer to: all that is told of them must fit into it. */
export const MAX_CHANNELS_AT_ONCE = 5;

/** Who comes by whose invitation. */
export interface Newcomer {
  readonly user: UserRecord;
  readonly inviter: UserRecord;
}

/** A channel that an offer holds, and whether it is one of the organization's defaults, which all who join may have. */
export interface OfferedChannel {
  readonly id: number;
  readonly isDefault: boolean;
}

/** The ids of the channels that an offer holds now, each once, the ones that were named first; not all may be open. */
export async function offeredChannels(
  tx: Tx,
  realmId: number,
  { channel_ids, include_realm_default_subscriptions }: InviteOffer,
): Promise<readonly number[]> {
  const added = include_realm_default_subscriptions ? await defaultChannels(tx, realmId) : [];
  return [...new Set([...channel_ids, ...added])];
}

/** Channels by their ids, and which of them are defaults now. */
export async function withDefaults(
  tx: Tx,
  realmId: number,
  ids: readonly number[],
): Promise<readonly OfferedChannel[]> {
  const defaults = new Set(await defaultChannels(tx, realmId));
  return ids.map((id) => ({ id, isDefault: defaults.has(id) }));
}

/**
 * Subscribes a newcomer to those of some channels, at most MAX_CHANNELS_AT_ONCE, that are in use and are either public
 * defaults or open to the inviter, who may subscribe others to them; all whom it concerns are told.
 */
export async function joinChannels(
  app: ChatApp,
  tx: Tx,
  { permissions, newcomer, channels }: {
    permissions: PermissionContext;
    newcomer: Newcomer;
    channels: readonly OfferedChannel[];
  },
): Promise<void> {
  const open: JoinableChannel[] = [];
  for (const channel of channels) {
    const visitor = await readOpen(tx, permissions, { channel, inviter: newcomer.inviter });
    if (visitor !== null) open.push({ name: visitor.channel.name, visitor, color: undefined });
  }
  await addSubscribers(app, tx, { permissions, channels: open, targets: [newcomer.user] });
}

async function readOpen(
  tx: Tx,
  permissions: PermissionContext,
  { channel: { id, isDefault }, inviter }: { channel: OfferedChannel; inviter: UserRecord },
): Promise<ChannelVisitor | null> {
  const realmId = permissions.realm.id;
  const channel = await tx.get<ChannelRecord>(channelKeys.channel(realmId, id));
  if (channel === null || channel.is_archived) return null;
  if (isDefault && !channel.invite_only) return { channel, user: inviter, isSubscribed: false };
  const visitor = await readVisitor(tx, { realmId, channelId: id, user: inviter });
  const isOpen = visitor !== null && hasContentAccess(permissions, visitor) &&
    mayAddOthers(permissions, visitor);
  return isOpen ? visitor : null;
}
