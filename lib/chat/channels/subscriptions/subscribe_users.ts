import { chunk } from "es-toolkit/array/chunk";
import { countSubscribers, subscribe } from "./store.ts";
import {
  actsForOthers,
  canAddOthers,
  MAX_ANNOUNCED_SUBSCRIBERS,
  MAX_EVENT_CHARACTERS,
  type SubscribeResult,
  tooManySubscriptions,
} from "./model.ts";
import { AppError } from "@/lib/core/errors.ts";
import { transact, type Tx } from "@/lib/store/transact.ts";
import type { ChatApp } from "@/lib/chat/organization/app.ts";
import { permissionsOf } from "@/lib/chat/organization/permissions/store.ts";
import {
  insufficientPermission,
  type PermissionContext,
} from "@/lib/chat/organization/permissions/model/membership.ts";
import {
  type Caller,
  isBot,
  isGuest,
  noSuchUser,
  userKeys,
  type UserRecord,
} from "@/lib/chat/organization/users/model.ts";
import { sendUserNotices } from "@/lib/chat/organization/users/events.ts";
import { formatChannelLink, silentMention } from "@/lib/chat/organization/rendering/format_markdown.ts";
import { readUser } from "@/lib/chat/organization/users/store.ts";
import { type ChannelViewer, hasContentAccess } from "@/lib/chat/organization/channels/model/access.ts";
import type { ChannelRecord } from "@/lib/chat/organization/channels/model/channel.ts";
import { type AddedSubscriber, sendChannelRevealedEvents, sendSubscriberAddedEvents } from "./events.ts";

/** A channel as the request names it and as the acting user has access to it, with the requested color. */
export interface SubscribableChannel {
  readonly name: string;
  readonly viewer: ChannelViewer;
  readonly color: string | undefined;
}

interface SubscribeRequest {
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
  const unauthorized = channels.filter((channel) => !isOpen(channel)).map(({ name }) => name);
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
    if (eventSize > MAX_EVENT_CHARACTERS) throw tooManySubscriptions();
  }
  return results;
}

/** Sends the events of a channel's new subscribers; returns their estimated length in characters. */
async function sendChannelEvents(
  app: ChatApp,
  tx: Tx,
  { permissions, channel, added, users }: {
    permissions: PermissionContext;
    channel: ChannelRecord;
    added: readonly AddedSubscriber[];
    users: readonly UserRecord[];
  },
): Promise<number> {
  if (added.length === 0) return 0;
  const subscriberCount = countSubscribers(permissions.organization, channel.id) + added.length;
  const addition = { permissions, channel, added, context: { subscriberCount } };
  // All but guests have metadata access to every channel that is not private.
  if (channel.invite_only || users.some(isGuest)) await sendChannelRevealedEvents(app, tx, addition);
  await sendSubscriberAddedEvents(app, tx, addition);
  // Each distinct set of properties causes one event, which holds the channel and a limited list of subscribers.
  const properties = added.map(({ record: { periods: _periods, ...rest } }) => JSON.stringify(rest));
  const subscribers = 8 * Math.min(subscriberCount, 2000);
  return (JSON.stringify(channel).length + subscribers) * (1 + new Set(properties).size);
}

/** Number of users that are read together. */
const READ_BATCH = 100;

/**
 * Returns the users to subscribe or unsubscribe, in the order of the ids. Reads them without a check at
 * commit time: a user who is deactivated meanwhile does no harm.
 * @throws AppError BAD_REQUEST for the first user who does not exist or is deactivated.
 */
export async function getTargetUsers(
  tx: Tx,
  realmId: number,
  ids: readonly number[],
): Promise<readonly UserRecord[]> {
  const users: UserRecord[] = [];
  // In batches, so that a long list of unknown ids is refused at little cost.
  for (const batch of chunk(ids, READ_BATCH)) {
    const read = await Promise.all(
      batch.map((id) => Number.isSafeInteger(id) ? tx.peek<UserRecord>(userKeys.user(realmId, id)) : null),
    );
    for (const user of read) {
      if (user === null) throw noSuchUser();
      if (!user.is_active) throw new AppError("BAD_REQUEST", "User is deactivated");
      users.push(user);
    }
  }
  return users;
}

/** Maximum number of users that the commit which creates a channel subscribes. */
export const MAX_FIRST_SUBSCRIBERS = 300;
/** Maximum number of users that a later commit subscribes: each costs a checked read. */
const MAX_LATER_SUBSCRIBERS = 80;
/**
 * Subscribes the remaining users to a new channel and sends the events, a batch in each commit: after a
 * failure, the batches still to come are missing. Skips users who are already subscribed.
 */
export async function subscribeRemainingUsers(
  app: ChatApp,
  { realm }: Pick<Caller, "realm">,
  { channel, userIds }: { channel: ChannelRecord; userIds: readonly number[] },
): Promise<void> {
  for (let at = 0; at < userIds.length; at += MAX_LATER_SUBSCRIBERS) {
    const batch = userIds.slice(at, at + MAX_LATER_SUBSCRIBERS);
    await transact(app.store, async (tx) => {
      const permissions = permissionsOf(await tx.organization(realm.id), app.clock);
      const added: AddedSubscriber[] = [];
      for (const userId of batch) {
        const record = await subscribe(tx, permissions, { channel, userId });
        if (record !== null) added.push({ userId, record });
      }
      const context = { isActive: () => true, subscriberCount: MAX_FIRST_SUBSCRIBERS + at + added.length };
      await sendChannelRevealedEvents(app, tx, { permissions, channel, added, context });
      await sendSubscriberAddedEvents(app, tx, { permissions, channel, added, context });
    });
  }
}

/**
 * Sends each user whom the caller subscribed to channels a direct message that names them; returns false, without
 * sending any, for too many users and for none.
 */
export async function announceSubscriptions(
  app: ChatApp,
  caller: Caller,
  results: readonly SubscribeResult[],
): Promise<boolean> {
  const { realm, actingUser } = caller;
  const added = results.filter(({ isNew, userId }) => isNew && userId !== actingUser.id);
  const byUser = Map.groupBy(added, ({ userId }) => userId);
  if (byUser.size > MAX_ANNOUNCED_SUBSCRIBERS) return false;
  const users = (await Promise.all([...byUser.keys()].map((id) => readUser(app, realm.id, id))))
    .filter((user) => user !== null && !isBot(user));
  for (const user of users) {
    if (user === null) continue;
    const names = (byUser.get(user.id) ?? []).map(({ channel }) => formatChannelLink(channel));
    const text = `${silentMention(actingUser)} subscribed you to ${names.join(", ")}.`;
    await sendUserNotices(app, caller, { users: [user], text });
  }
  return users.length > 0;
}
