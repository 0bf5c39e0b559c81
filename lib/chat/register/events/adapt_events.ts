import { findUser, isActiveUser } from "@/lib/chat/organization/permissions/store.ts";
import { channelKeys } from "@/lib/chat/organization/channels/model/channel.ts";
import { toSubscriptionSettings } from "@/lib/chat/channels/subscriptions/api.ts";
import type { SubscriptionRecord } from "@/lib/chat/channels/subscriptions/model.ts";
import { canAccessAllUsers, canAccessUser } from "@/lib/chat/organization/permissions/model/membership.ts";
import { toUserGroup } from "@/lib/chat/organization/user_groups/api.ts";
import { listRealmEmoji } from "@/lib/chat/organization/emoji.ts";
import { isSettingName, legacyEventType } from "@/lib/chat/people/user_settings/model/settings.ts";
import { toApiEmail } from "@/lib/chat/organization/users/model.ts";
import type { ChatEvent, StoredEvent } from "@/lib/chat/organization/events/model.ts";
import { acceptsType, canReceive, hasCapability, type Receiver } from "./receiver.ts";
import {
  adaptDeletion,
  adaptFlags,
  adaptMessages,
  adaptReaction,
  adaptSubmessage,
  adaptUpdateOrMove,
  readVisibleMessage,
  topicNameFor,
} from "./adapt_messages.ts";

/** Adapts an event to all subscribers of a channel: adds the receiver's own settings of the channel. */
async function adaptSubscription(receiver: Receiver, stored: ChatEvent): Promise<ChatEvent[]> {
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
function adaptChannel(receiver: Receiver, event: ChatEvent): ChatEvent[] {
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

/**
 * Adapts an event of a group: leaves out members whom the receiver cannot access. A client that does not know
 * deactivated groups receives deactivation as removal and reactivation as addition.
 */
function adaptGroup(receiver: Receiver, event: ChatEvent): ChatEvent[] {
  return hideMembers(receiver, adaptActivation(receiver, event));
}

function adaptActivation(receiver: Receiver, stored: ChatEvent): ChatEvent[] {
  const { is_deactivated, ...event } = stored;
  const { op, group_id, data } = event;
  const changesActivation = op === "update" && typeof data === "object" && data !== null &&
    "deactivated" in data;
  if (hasCapability(receiver, "include_deactivated_groups")) return [event];
  const { permissions } = receiver;
  const record = permissions.groups.get(Number(group_id));
  if (!changesActivation) {
    const isDeactivated = is_deactivated === true || op !== "remove" && record?.deactivated === true;
    return isDeactivated ? [] : [event];
  }
  if (data.deactivated === true) return [{ type: event.type, op: "remove", group_id }];
  if (record === undefined) return [];
  const group = toUserGroup(permissions, record, (id) => isActiveUser(permissions, id));
  return [{ type: event.type, op: "add", group: { ...group, deactivated: false } }];
}

function hideMembers({ permissions, user }: Receiver, events: ChatEvent[]): ChatEvent[] {
  if (canAccessAllUsers(permissions, user)) return events;
  const isShown = (id: unknown) => {
    const member = typeof id === "number" ? findUser(permissions, id) : null;
    return member !== null && canAccessUser(permissions, user, member);
  };
  return events.flatMap((event) => {
    const { user_ids, group } = event;
    if (Array.isArray(user_ids)) {
      const shown = user_ids.filter(isShown);
      return shown.length === 0 ? [] : [{ ...event, user_ids: shown }];
    }
    if (typeof group !== "object" || group === null || !("members" in group)) return [event];
    const members = Array.isArray(group.members) ? group.members.filter(isShown) : [];
    return [{ ...event, group: { ...group, members } }];
  });
}

/**
 * Adapters of the events whose form depends on the receiver, by type, but for new messages; other events are sent
 * unchanged.
 */
const ADAPTERS: Readonly<
  Record<string, (receiver: Receiver, event: ChatEvent) => ChatEvent[] | Promise<ChatEvent[]>>
> = {
  update_message: adaptUpdateOrMove,
  delete_message: adaptDeletion,
  reaction: adaptReaction,
  submessage: adaptSubmessage,
  update_message_flags: adaptFlags,
  presence: adaptPresence,
  realm_emoji: adaptEmoji,
  typing: adaptTyping,
  typing_edit_message: adaptEditTyping,
  user_topic: (receiver, event) => [
    { ...event, topic_name: topicNameFor(receiver, String(event["topic_name"])) },
  ],
  muted_topics: async (receiver, event) => [{ ...event, muted_topics: await receiver.listMutedTopics() }],
  user_settings: adaptSetting,
  // Clients that do not know URL templates receive no linkifiers.
  realm_linkifiers: (receiver, event) => hasCapability(receiver, "linkifier_url_template") ? [event] : [],
  stream: adaptChannel,
  subscription: adaptSubscription,
  user_group: adaptGroup,
};

/** Returns events in the form that the receiver's client understands: for each none, one or several events. */
export async function adaptEvents(
  receiver: Receiver,
  all: readonly StoredEvent[],
): Promise<(readonly ChatEvent[])[]> {
  const received = await Promise.all(
    all.map(async (stored) => await canReceive(receiver, stored) ? stored.event : null),
  );
  const messages = adaptMessages(
    receiver,
    received.filter((event) => event !== null).filter(({ type }) => type === "message"),
  );
  return await Promise.all(received.map(async (event) => {
    if (event === null) return [];
    const adapted = event.type === "message"
      ? [(await messages).get(event)].filter((message) => message !== undefined)
      : await ADAPTERS[event.type]?.(receiver, event) ?? [event];
    return adapted.filter(({ type }) => acceptsType(receiver.queue, type));
  }));
}

function adaptPresence(receiver: Receiver, event: ChatEvent): ChatEvent[] {
  const { type, presences, email, ...legacy } = event;
  if (hasCapability(receiver, "simplified_presence_events")) return [{ type, presences }];
  return [receiver.queue.slim_presence ? { type, ...legacy } : { type, email, ...legacy }];
}

/** Clients that do not know changes of one emoji receive all emoji, as do all for events of older versions. */
async function adaptEmoji(receiver: Receiver, event: ChatEvent): Promise<ChatEvent[]> {
  const { app, permissions: { realm } } = receiver;
  if (event["op"] !== "update" && hasCapability(receiver, "individual_emoji_changes")) return [event];
  return [{ type: event.type, op: "update", realm_emoji: await listRealmEmoji(app, realm.id) }];
}

function adaptTyping(receiver: Receiver, event: ChatEvent): ChatEvent[] {
  const { topic } = event;
  if (typeof topic !== "string") return [event];
  if (!hasCapability(receiver, "stream_typing_notifications")) return [];
  return [{ ...event, topic: topicNameFor(receiver, topic) }];
}

/** Only receivers with access to the message learn that it is being edited. */
async function adaptEditTyping(receiver: Receiver, event: ChatEvent): Promise<ChatEvent[]> {
  const visible = await readVisibleMessage(receiver, event["message_id"]);
  if (visible === null) return [];
  const { channel, message } = visible;
  if (channel === null) return [event];
  const topic = topicNameFor(receiver, message.topic);
  return [{ ...event, recipient: { type: "channel", channel_id: channel.id, topic } }];
}

/** A client that does not know `user_settings` events receives the older event of the setting as well. */
function adaptSetting(receiver: Receiver, event: ChatEvent): ChatEvent[] {
  const { property, value, language_name } = event;
  if (hasCapability(receiver, "user_settings_object")) return [event];
  const type = typeof property === "string" && isSettingName(property) ? legacyEventType(property) : null;
  if (type === null) return [event];
  const user = toApiEmail(receiver.app, receiver.permissions.realm, receiver.user);
  const language = language_name === undefined ? {} : { language_name };
  const legacy = type === "update_display_settings"
    ? { type, user, setting_name: property, setting: value, ...language }
    : { type, user, notification_name: property, setting: value };
  return [event, legacy];
}
