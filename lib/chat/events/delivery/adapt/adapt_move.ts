import { hasContentAccess } from "@/lib/chat/channels/model/access.ts";
import { channelKeys, type ChannelRecord } from "@/lib/chat/channels/model/channel.ts";
import type { SubscriptionRecord } from "@/lib/chat/channels/subscriptions/model.ts";
import type { ChatEvent } from "@/lib/chat/events/model.ts";
import { readMessageFlags } from "@/lib/chat/messages/flags/store.ts";
import { wasReceived } from "@/lib/chat/messages/model.ts";
import type { Receiver } from "../receiver.ts";
import { adaptFlags } from "./adapt_flags.ts";
import { adaptMoveAsDeletion, adaptUpdate, readVisibleMessage } from "./adapt_message.ts";

/**
 * Adapts a change of messages. When they moved to another channel, those that the receiver cannot access
 * there are sent as deleted. When the receiver is subscribed to only one of the channels, messages also
 * become unread or read by the move, as no earlier event reported.
 */
export async function adaptUpdateOrMove(receiver: Receiver, event: ChatEvent): Promise<ChatEvent[]> {
  const { stream_id, new_stream_id, message_ids } = event;
  const isMove = typeof stream_id === "number" && typeof new_stream_id === "number";
  if (!isMove || !Array.isArray(message_ids)) return await adaptUpdate(receiver, event);
  const [before, after] = await Promise.all(
    [stream_id, new_stream_id].map((id) => readSubscription(receiver, id)),
  );
  const move = { before: before ?? null, after: after ?? null, ids: message_ids.map(Number) };
  const channel = await readChannel(receiver, new_stream_id);
  const visible = channel === null ? [] : listVisible(receiver, channel, move);
  if (visible.length === 0) return await adaptUpdate(receiver, event);
  const hidden = move.ids.filter((id) => !visible.includes(id));
  return [
    ...await adaptVisible(receiver, event, visible),
    ...hidden.length === 0 ? [] : adaptMoveAsDeletion(receiver, { ...event, message_ids: hidden }),
    ...await toReadEvents(receiver, { ...move, ids: visible }),
  ];
}

/** A move of messages, and the receiver's subscriptions to the channels before and after it. */
interface ChannelMove {
  readonly before: SubscriptionRecord | null;
  readonly after: SubscriptionRecord | null;
  readonly ids: readonly number[];
}

async function readSubscription(
  { app, permissions, user }: Receiver,
  channelId: number,
): Promise<SubscriptionRecord | null> {
  return await app.reads.read(channelKeys.subscription(permissions.realm.id, user.id, channelId));
}

function readChannel({ app, permissions }: Receiver, channelId: number): Promise<ChannelRecord | null> {
  return app.reads.read<ChannelRecord>(channelKeys.channel(permissions.realm.id, channelId));
}

/** Returns the ids of the messages that the receiver can access in the new channel. */
function listVisible(
  { permissions, user }: Receiver,
  channel: ChannelRecord,
  { after, ids }: ChannelMove,
): readonly number[] {
  if (!hasContentAccess(permissions, { channel, user, isSubscribed: after?.is_active === true })) return [];
  return channel.history_public_to_subscribers ? ids : ids.filter((id) => wasReceived(after, id));
}

/** Names a visible message as the main message of the event when the original one is hidden. */
async function adaptVisible(
  receiver: Receiver,
  event: ChatEvent,
  visible: readonly number[],
): Promise<ChatEvent[]> {
  const isMainVisible = visible.includes(Number(event["message_id"]));
  const changes = isMainVisible ? {} : { message_id: visible[0], is_content_edited: false };
  return await adaptUpdate(receiver, { ...event, ...changes, message_ids: visible });
}

/** Reads only the messages whose state changes, which are few. */
async function toReadEvents(receiver: Receiver, { before, after, ids }: ChannelMove): Promise<ChatEvent[]> {
  const changed = ids.filter((id) => canBeUnread(before, id) !== canBeUnread(after, id));
  const isUnread = await Promise.all(changed.map((id) => isUnreadFor(receiver, id)));
  return [
    ...await toFlagEvents(receiver, "remove", changed.filter((_, at) => isUnread[at])),
    ...await toFlagEvents(receiver, "add", changed.filter((id) => canBeUnread(before, id))),
  ];
}

/** Whether a message can be unread: the user is subscribed and received it. */
function canBeUnread(subscription: SubscriptionRecord | null, id: number): boolean {
  return subscription?.is_active === true && wasReceived(subscription, id);
}

/** Messages that the receiver did not receive count as read. */
async function isUnreadFor(receiver: Receiver, id: number): Promise<boolean> {
  const { app, permissions, user } = receiver;
  const visible = await readVisibleMessage(receiver, id);
  return visible !== null && !(await readMessageFlags(app, permissions, { visible, user })).includes("read");
}

async function toFlagEvents(
  receiver: Receiver,
  op: "add" | "remove",
  messages: readonly number[],
): Promise<ChatEvent[]> {
  if (messages.length === 0) return [];
  return await adaptFlags(receiver, { type: "update_message_flags", op, flag: "read", messages, all: false });
}
