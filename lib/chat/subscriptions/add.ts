import { AppError } from "@/lib/core/errors.ts";
import type { Tx } from "@/lib/kv/transact.ts";
import type { ChatApp } from "../app.ts";
import { type ChannelVisitor, hasContentAccess } from "../channels/access.ts";
import type { ChannelRecord } from "../channels/channel.ts";
import { type Joined, type Joining, tellOfJoined, tellOfNewcomers } from "../channels/join.ts";
import { subscribe } from "../channels/subscribe.ts";
import { readSubscriberCount } from "../channels/subscriber_count.ts";
import { readNamedUsers } from "../permissions/named_users.ts";
import type { PermissionContext } from "../permissions/group_world.ts";
import { insufficientPermission } from "../permissions/insufficient.ts";
import { isGuest, type UserRecord } from "../users/user.ts";
import { actsForOthers, mayAddOthers } from "./rights.ts";
import { requireRoomToTell } from "./room.ts";

/** A channel as the caller named it and as he stands before it, and the color that was asked for. */
export interface JoinableChannel {
  readonly name: string;
  readonly visitor: ChannelVisitor;
  readonly color: string | undefined;
}

/** Who is to be subscribed to which channels. */
export interface WantedJoins {
  readonly actor: UserRecord;
  readonly channels: readonly JoinableChannel[];
  readonly targets: readonly UserRecord[];
  /** Whether a channel that the caller may not read fails the whole. */
  readonly isFatal: boolean;
}

/** One account and one channel, and whether it is subscribed only since this change. */
export interface Join {
  readonly userId: number;
  readonly channel: ChannelRecord;
  readonly isNew: boolean;
}

/**
 * Subscribes accounts to channels, all of it allowed, and tells all whom it concerns.
 * @throws AppError BAD_REQUEST when that is more than one commit holds.
 */
export async function addSubscribers(
  app: ChatApp,
  tx: Tx,
  { permissions, channels, targets }: Pick<WantedJoins, "channels" | "targets"> & {
    permissions: PermissionContext;
  },
): Promise<readonly Join[]> {
  const joins: Join[] = [];
  let told = 0;
  for (const { visitor: { channel }, color } of channels) {
    const joined: Joined[] = [];
    for (const { id: userId } of targets) {
      const record = await subscribe(tx, permissions, { channel, userId, color });
      joins.push({ userId, channel, isNew: record !== null });
      if (record !== null) joined.push({ userId, record });
    }
    told += await tell(app, tx, { permissions, channel, joined, targets });
    requireRoomToTell(told);
  }
  return joins;
}

/**
 * The channels that accounts can be subscribed to, if the caller may do that.
 * @throws AppError BAD_REQUEST.
 */
export function requireMayAdd(
  permissions: PermissionContext,
  { actor, channels, targets, isFatal }: WantedJoins,
): { channels: readonly JoinableChannel[]; unauthorized: readonly string[] } {
  const isOpen = ({ visitor }: JoinableChannel) =>
    !visitor.channel.is_archived && hasContentAccess(permissions, visitor);
  const open = channels.filter(isOpen);
  const unauthorized = channels.filter((one) => !isOpen(one)).map(({ name }) => name);
  const [first] = unauthorized;
  if (isFatal && first !== undefined) {
    throw new AppError("BAD_REQUEST", `Unable to access channel (${first}).`);
  }
  const mayAll = !actsForOthers(actor, targets) ||
    open.every(({ visitor }) => mayAddOthers(permissions, visitor));
  if (!mayAll) throw insufficientPermission();
  return { channels: open, unauthorized };
}

interface Telling {
  readonly permissions: PermissionContext;
  readonly channel: ChannelRecord;
  readonly joined: readonly Joined[];
  readonly targets: readonly UserRecord[];
}

/** Tells of a channel's new subscribers, in about so many characters as it gives. */
async function tell(
  app: ChatApp,
  tx: Tx,
  { permissions, channel, joined, targets }: Telling,
): Promise<number> {
  if (joined.length === 0) return 0;
  const realmId = permissions.realm.id;
  const [isActive, before] = await Promise.all([
    readNamedUsers(app, realmId, [channel]),
    readSubscriberCount(app, realmId, channel.id),
  ]);
  const context = { isActive, subscriberCount: before + joined.length };
  const joining = { permissions, channel, joined, context };
  // All others know every channel that is not private.
  if (channel.invite_only || targets.some(isGuest)) await tellOfNewcomers(app, tx, joining);
  await tellOfJoined(app, tx, joining);
  return weigh(joining);
}

/** A channel is shown once to each who chose something else for it, with its subscribers as far as events name them. */
function weigh({ channel, joined, context }: Joining): number {
  const choices = joined.map(({ record: { periods: _periods, ...chosen } }) => JSON.stringify(chosen));
  const subscribers = 8 * Math.min(context.subscriberCount, 2000);
  return (JSON.stringify(channel).length + subscribers) * (1 + new Set(choices).size);
}
