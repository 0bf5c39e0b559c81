import { AppError } from "@/lib/core/errors.ts";
import type { Tx } from "@/lib/store/transact.ts";
import type { ChatApp } from "@/lib/chat/app.ts";
import { type ChannelViewer, hasContentAccess } from "../model/access.ts";
import type { ChannelRecord } from "../model/channel.ts";
import {
  type AddedSubscriber,
  sendChannelRevealedEvents,
  sendSubscriberAddedEvents,
  type SubscriberAddition,
} from "./events.ts";
import { readSubscriberCount, subscribe } from "./store.ts";
import { readActiveNamedUsers } from "@/lib/chat/permissions/store.ts";
import { insufficientPermission, type PermissionContext } from "@/lib/chat/permissions/model/membership.ts";
import { isGuest, type UserRecord } from "@/lib/chat/users/model.ts";
import { actsForOthers, canAddOthers, requireEventsFitCommit, type SubscribeResult } from "./model.ts";

/** A channel as the request names it and as the acting user has access to it, with the requested color. */
export interface SubscribableChannel {
  readonly name: string;
  readonly viewer: ChannelViewer;
  readonly color: string | undefined;
}

/** The users to subscribe, and the channels to subscribe them to. */
export interface SubscribeRequest {
  readonly actingUser: UserRecord;
  readonly channels: readonly SubscribableChannel[];
  readonly users: readonly UserRecord[];
  /** Whether a channel without content access fails the whole request. */
  readonly isFatal: boolean;
}

/**
 * Returns the channels of a request that users can be subscribed to, and the names of the others.
 * @throws AppError BAD_REQUEST if the acting user may not subscribe the users, or if a missing access is
 * fatal.
 */
export function requireCanSubscribe(
  permissions: PermissionContext,
  { actingUser, channels, users, isFatal }: SubscribeRequest,
): { channels: readonly SubscribableChannel[]; unauthorized: readonly string[] } {
  const isOpen = ({ viewer }: SubscribableChannel) =>
    !viewer.channel.is_archived && hasContentAccess(permissions, viewer);
  const open = channels.filter(isOpen);
  const unauthorized = channels.filter((one) => !isOpen(one)).map(({ name }) => name);
  const [first] = unauthorized;
  if (isFatal && first !== undefined) {
    throw new AppError("BAD_REQUEST", `Unable to access channel (${first}).`);
  }
  const isAllowed = !actsForOthers(actingUser, users) ||
    open.every(({ viewer }) => canAddOthers(permissions, viewer));
  if (!isAllowed) throw insufficientPermission();
  return { channels: open, unauthorized };
}

/**
 * Subscribes users to channels, permissions being checked before, and sends the events.
 * @throws AppError BAD_REQUEST if the events exceed one commit.
 */
export async function subscribeUsers(
  app: ChatApp,
  tx: Tx,
  { permissions, channels, users }: Pick<SubscribeRequest, "channels" | "users"> & {
    permissions: PermissionContext;
  },
): Promise<readonly SubscribeResult[]> {
  const results: SubscribeResult[] = [];
  let eventSize = 0;
  for (const { viewer: { channel }, color } of channels) {
    const added: AddedSubscriber[] = [];
    for (const { id: userId } of users) {
      const record = await subscribe(tx, permissions, { channel, userId, color });
      results.push({ userId, channel, isNew: record !== null });
      if (record !== null) added.push({ userId, record });
    }
    eventSize += await sendChannelEvents(app, tx, { permissions, channel, added, users });
    requireEventsFitCommit(eventSize);
  }
  return results;
}

interface ChannelSubscribers {
  readonly permissions: PermissionContext;
  readonly channel: ChannelRecord;
  readonly added: readonly AddedSubscriber[];
  readonly users: readonly UserRecord[];
}

/** Sends the events of a channel's new subscribers; returns their estimated length in characters. */
async function sendChannelEvents(
  app: ChatApp,
  tx: Tx,
  { permissions, channel, added, users }: ChannelSubscribers,
): Promise<number> {
  if (added.length === 0) return 0;
  const realmId = permissions.realm.id;
  const [isActive, before] = await Promise.all([
    readActiveNamedUsers(app, realmId, [channel]),
    readSubscriberCount(app, realmId, channel.id),
  ]);
  const context = { isActive, subscriberCount: before + added.length };
  const addition = { permissions, channel, added, context };
  // All but guests have metadata access to every channel that is not private.
  if (channel.invite_only || users.some(isGuest)) await sendChannelRevealedEvents(app, tx, addition);
  await sendSubscriberAddedEvents(app, tx, addition);
  return estimateEventSize(addition);
}

/**
 * Each distinct set of properties causes one event, which holds the channel and a limited list of
 * subscribers.
 */
function estimateEventSize({ channel, added, context }: SubscriberAddition): number {
  const properties = added.map(({ record: { periods: _periods, ...rest } }) => JSON.stringify(rest));
  const subscribers = 8 * Math.min(context.subscriberCount, 2000);
  return (JSON.stringify(channel).length + subscribers) * (1 + new Set(properties).size);
}
