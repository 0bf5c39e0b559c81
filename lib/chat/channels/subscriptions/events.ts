import { readUsers } from "../../organization/users/store.ts";
import type { SubscriptionRecord } from "./model.ts";
import type { PermissionContext } from "@/lib/chat/organization/permissions/model/membership.ts";
import type { ChannelRecord } from "@/lib/chat/organization/channels/model/channel.ts";
import { type ChannelViewContext, toChannel } from "../api.ts";
import type { ChatApp } from "@/lib/chat/organization/app.ts";
import type { Tx } from "@/lib/store/transact.ts";
import { sortedUnique } from "@/lib/chat/organization/permissions/model/group_setting.ts";
import { listSubscriberIds } from "./store.ts";
import { toSubscription } from "./api.ts";
import { listChannelAudiences, sendToAudiences } from "../events.ts";
import { type Audience, chunkIds } from "@/lib/chat/organization/events/model.ts";
import type { UserRecord } from "@/lib/chat/organization/users/model.ts";
import { hasMetadataAccess } from "@/lib/chat/organization/channels/model/access.ts";

export interface AddedSubscriber {
  readonly userId: number;
  readonly record: SubscriptionRecord;
}

/** Users who were subscribed to a channel, and the context to show the channel with. */
interface SubscriberAddition {
  readonly permissions: PermissionContext;
  readonly channel: ChannelRecord;
  readonly added: readonly AddedSubscriber[];
  readonly context: ChannelViewContext;
}

/** Sends the channel to its new subscribers, and the new subscribers to all users with metadata access. */
export async function sendSubscriberAddedEvents(
  app: ChatApp,
  tx: Tx,
  { permissions, channel, added, context }: SubscriberAddition,
): Promise<void> {
  if (added.length === 0) return;
  const userIds = added.map(({ userId }) => userId);
  const view = toChannel(permissions, channel, context);
  const subscribers = sortedUnique([
    ...await listSubscriberIds(app, permissions.realm.id, channel.id),
    ...userIds,
  ]);
  const toText = ({ record }: AddedSubscriber) => JSON.stringify(toSubscription(view, record, subscribers));
  for (const [text, alike] of Map.groupBy(added, toText)) {
    const event = { type: "subscription", op: "add", subscriptions: [JSON.parse(text)] };
    sendToAudiences(tx, permissions, { event, audiences: chunkIds(alike.map(({ userId }) => userId)) });
  }
  const audiences = await listChannelAudiences(app, permissions, { channel, addedUserIds: userIds });
  for (const user_ids of chunkIds(userIds)) {
    sendToAudiences(tx, permissions, {
      event: { type: "subscription", op: "peer_add", stream_ids: [channel.id], user_ids },
      audiences,
    });
  }
}

/** Sends the channel to those new subscribers who had no metadata access before. */
export async function sendChannelRevealedEvents(
  app: ChatApp,
  tx: Tx,
  { permissions, channel, added, context }: SubscriberAddition,
): Promise<void> {
  const users = await readUsers(app, permissions.realm.id, added.map(({ userId }) => userId));
  const newcomers = users.values().filter((user) =>
    !hasMetadataAccess(permissions, { channel, user, isSubscribed: false })
  );
  const event = { type: "stream", op: "create", streams: [toChannel(permissions, channel, context)] };
  sendToAudiences(tx, permissions, { event, audiences: chunkIds(Array.from(newcomers, ({ id }) => id)) });
}

/**
 * Sends the end of their subscription to the removed users, the channel's deletion to those of them who lose
 * metadata access, and the removed users to all who keep it.
 */
export async function sendSubscriberRemovedEvents(
  app: ChatApp,
  tx: Tx,
  { permissions, channel, removed }: {
    permissions: PermissionContext;
    channel: ChannelRecord;
    removed: readonly UserRecord[];
  },
): Promise<void> {
  if (removed.length === 0) return;
  const { id: stream_id, name } = channel;
  const user_ids = removed.map(({ id }) => id);
  const ended = { type: "subscription", op: "remove", subscriptions: [{ stream_id, name }] };
  sendToAudiences(tx, permissions, { event: ended, audiences: [user_ids] });
  const losingAccess = removed
    .filter((user) => !hasMetadataAccess(permissions, { channel, user, isSubscribed: false }))
    .map(({ id }) => id);
  const deleted = { type: "stream", op: "delete", streams: [{ stream_id }], stream_ids: [stream_id] };
  if (losingAccess.length > 0) {
    sendToAudiences(tx, permissions, { event: deleted, audiences: [losingAccess] });
  }
  const audiences = (await listChannelAudiences(app, permissions, { channel }))
    .flatMap((audience): readonly Audience[] => {
      if (typeof audience === "string" || "channel" in audience) return [audience];
      const others = audience.filter((id) => !losingAccess.includes(id));
      return others.length === 0 ? [] : [others];
    });
  const event = { type: "subscription", op: "peer_remove", stream_ids: [stream_id], user_ids };
  sendToAudiences(tx, permissions, { event, audiences });
}
