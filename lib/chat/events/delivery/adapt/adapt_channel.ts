import { channelKeys } from "@/lib/chat/channels/model/channel.ts";
import { toSubscriptionSettings } from "@/lib/chat/channels/subscriptions/api.ts";
import type { SubscriptionRecord } from "@/lib/chat/channels/subscriptions/model.ts";
import type { ChatEvent } from "@/lib/chat/events/model.ts";
import { hasCapability, type Receiver } from "../receiver.ts";

/** Adapts an event to all subscribers of a channel: adds the receiver's own settings of the channel. */
export async function adaptSubscription(receiver: Receiver, stored: ChatEvent): Promise<ChatEvent[]> {
  const { app, permissions, user } = receiver;
  const { is_return, ...event } = stored;
  // A client that knows archived channels never lost the channel that was unarchived.
  if (is_return === true && hasCapability(receiver, "archived_channels")) return [];
  const { op, subscriptions } = event;
  if (op !== "add" || !Array.isArray(subscriptions)) return [event];
  const adapted = await Promise.all(subscriptions.map(async (channel) => {
    if ("color" in channel) return channel;
    const key = channelKeys.subscription(permissions.realm.id, user.id, channel.stream_id);
    const record = await app.reads.read<SubscriptionRecord>(key);
    return record === null ? channel : { ...channel, ...toSubscriptionSettings(record) };
  }));
  return [{ ...event, subscriptions: adapted }];
}

/**
 * Adapts the creation, deletion or change of a channel. A client that does not know archived channels
 * receives archiving as deletion and unarchiving as creation; any other client keeps the channel throughout.
 */
export function adaptChannel(receiver: Receiver, event: ChatEvent): ChatEvent[] {
  const { op, property, value, stream_id, streams, is_return, ...rest } = event;
  const knowsArchived = hasCapability(receiver, "archived_channels");
  if (op === "create" && is_return === true) return knowsArchived ? [] : [{ ...rest, op, streams }];
  if (knowsArchived) return [event];
  if (op === "create" && Array.isArray(streams)) {
    const active = streams.filter(({ is_archived }) => is_archived !== true);
    return active.length === 0 ? [] : [{ ...rest, op, streams: active }];
  }
  if (op !== "update" || property !== "is_archived") return [event];
  if (value !== true) return [];
  return [{ type: event.type, op: "delete", streams: [{ stream_id }], stream_ids: [stream_id] }];
}
