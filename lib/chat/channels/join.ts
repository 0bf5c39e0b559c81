import { AppError } from "@/lib/core/errors.ts";
import { transact, type Tx } from "@/lib/kv/transact.ts";
import type { ChatApp } from "../app.ts";
import { chunkIds } from "../events/in_events.ts";
import { sortedSet } from "../group_setting.ts";
import { type PermissionContext, readPermissionContext } from "../permissions/group_world.ts";
import type { Caller } from "../users/caller.ts";
import { userKeys, type UserRecord } from "../users/user.ts";
import { audiencesOf, listNewcomers, listSubscribers } from "./audience.ts";
import type { ChannelRecord, SubscriptionRecord } from "./channel.ts";
import { tell } from "./store.ts";
import { messageHead, subscribe, writeFirst } from "./subscribe.ts";
import { toSubscription } from "./subscription_view.ts";
import { type ChannelContext, toChannel } from "./view.ts";

/** The most accounts that the commit subscribes which makes a channel. */
export const MAX_FIRST_SUBSCRIBERS = 300;
/** The most that a later commit subscribes: each costs a checked read. */
const MAX_LATER_SUBSCRIBERS = 80;
/** Accounts that are looked at together. */
const MAX_LOOKS = 500;

/**
 * Refuses ids of accounts that cannot be subscribed, the first in their order.
 * @throws AppError BAD_REQUEST.
 */
export async function requireSubscribers(tx: Tx, realmId: number, ids: readonly number[]): Promise<void> {
  for (let at = 0; at < ids.length; at += MAX_LOOKS) {
    const some = ids.slice(at, at + MAX_LOOKS);
    const users = await Promise.all(some.map((id) => tx.peek<UserRecord>(userKeys.user(realmId, id))));
    const refused = users.find((user) => user?.is_active !== true);
    if (refused === null) throw new AppError("BAD_REQUEST", "No such user");
    if (refused !== undefined) throw new AppError("BAD_REQUEST", "User is deactivated");
  }
}

/** Subscribes accounts to a channel that the same commit makes; at most MAX_FIRST_SUBSCRIBERS. */
export async function joinNew(
  tx: Tx,
  permissions: PermissionContext,
  { channel, userIds }: { channel: ChannelRecord; userIds: readonly number[] },
): Promise<readonly Joined[]> {
  const from = await messageHead(tx) + 1;
  return userIds.map((userId) => ({
    userId,
    record: writeFirst(tx, permissions, { channel, userId, from }),
  }));
}

/**
 * Subscribes further accounts to a channel and tells of it, some in each commit, so that a failure between leaves those
 * out that are still to come; who is subscribed already is passed over.
 */
export async function joinLater(
  app: ChatApp,
  { realm }: Pick<Caller, "realm">,
  { channel, userIds }: { channel: ChannelRecord; userIds: readonly number[] },
): Promise<void> {
  for (let at = 0; at < userIds.length; at += MAX_LATER_SUBSCRIBERS) {
    const some = userIds.slice(at, at + MAX_LATER_SUBSCRIBERS);
    await transact(app.store, async (tx) => {
      const permissions = await readPermissionContext(app, tx, realm.id);
      const joined: Joined[] = [];
      for (const userId of some) {
        const record = await subscribe(tx, permissions, { channel, userId });
        if (record !== null) joined.push({ userId, record });
      }
      const context = { isActive: () => true, subscriberCount: MAX_FIRST_SUBSCRIBERS + at + joined.length };
      await tellOfNewcomers(app, tx, { permissions, channel, joined, context });
      await tellOfJoined(app, tx, { permissions, channel, joined, context });
    }, `subscriptions ${realm.id}`);
  }
}

/** An account that was subscribed. */
export interface Joined {
  readonly userId: number;
  readonly record: SubscriptionRecord;
}

/** Accounts that were subscribed to a channel, and how it is shown to them. */
export interface Joining {
  readonly permissions: PermissionContext;
  readonly channel: ChannelRecord;
  readonly joined: readonly Joined[];
  readonly context: ChannelContext;
}

/** Tells accounts that were subscribed of their channel, and all who may know of it of them. */
export async function tellOfJoined(
  app: ChatApp,
  tx: Tx,
  { permissions, channel, joined, context }: Joining,
): Promise<void> {
  if (joined.length === 0) return;
  const userIds = joined.map(({ userId }) => userId);
  const view = toChannel(permissions, channel, context);
  const subscribers = sortedSet([
    ...await listSubscribers(app, permissions.realm.id, channel.id),
    ...userIds,
  ]);
  const toText = ({ record }: Joined) => JSON.stringify(toSubscription(view, record, subscribers));
  const shown = Map.groupBy(joined, toText);
  for (const [text, alike] of shown) {
    const event = { type: "subscription", op: "add", subscriptions: [JSON.parse(text)] };
    tell(tx, permissions, { event, audiences: chunkIds(alike.map(({ userId }) => userId)) });
  }
  const audiences = await audiencesOf(app, permissions, { channel, joining: userIds });
  for (const user_ids of chunkIds(userIds)) {
    tell(tx, permissions, {
      event: { type: "subscription", op: "peer_add", stream_ids: [channel.id], user_ids },
      audiences,
    });
  }
}

/** Tells those of a channel who could not know of it before they were subscribed. */
export async function tellOfNewcomers(
  app: ChatApp,
  tx: Tx,
  { permissions, channel, joined, context }: Joining,
): Promise<void> {
  const userIds = joined.map(({ userId }) => userId);
  const newcomers = await listNewcomers(app, permissions, { channel, userIds });
  const event = { type: "stream", op: "create", streams: [toChannel(permissions, channel, context)] };
  tell(tx, permissions, { event, audiences: chunkIds(newcomers) });
}
