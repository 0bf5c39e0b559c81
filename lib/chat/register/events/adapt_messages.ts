import { findUser } from "@/lib/chat/organization/permissions/store.ts";
import { zip } from "es-toolkit/array/zip";
import { hasContentAccess, hasMetadataAccess } from "@/lib/chat/organization/channels/model/access.ts";
import { channelKeys, type ChannelRecord } from "@/lib/chat/organization/channels/model/channel.ts";
import { readChannelViewer } from "@/lib/chat/channels/store.ts";
import { linkifierSetOf } from "@/lib/chat/messages/linkifiers/store.ts";
import { createVisibilityReader, toVisibleMessage } from "@/lib/chat/messages/access.ts";
import { createMessagesConverter } from "@/lib/chat/messages/api.ts";
import { readEditHistory } from "@/lib/chat/messages/edit_history.ts";
import { readMessageFlags } from "@/lib/chat/messages/flags.ts";
import { messageKeys, type VisibleMessage, wasReceived } from "@/lib/chat/messages/model.ts";
import { findAmongIds } from "@/lib/chat/messages/read/find_messages.ts";
import { readMessage, readRenderedContent } from "@/lib/chat/messages/store.ts";
import { listIds } from "@/lib/store/reads.ts";
import { toDisplayTopic } from "@/lib/chat/channels/topics/model.ts";
import { toReactingUser } from "@/lib/chat/messages/reactions.ts";
import { isGuest } from "@/lib/chat/organization/users/model.ts";
import type { SubscriptionRecord } from "@/lib/chat/channels/subscriptions/model.ts";
import type { ChatEvent } from "@/lib/chat/organization/events/model.ts";
import { hasCapability, isForMentionedBot, messageFormatFor, type Receiver } from "./receiver.ts";

/** Reads a message that the receiver can access; null when they cannot, or when it was deleted. */
export async function readVisibleMessage(
  { app, permissions, user }: Receiver,
  id: unknown,
): Promise<VisibleMessage | null> {
  const message = await readMessage(app, permissions.realm.id, Number(id));
  return message === null ? null : await toVisibleMessage(app, permissions, { message, user });
}

interface ReceivedMessage {
  readonly event: ChatEvent;
  readonly visible: VisibleMessage;
}

/**
 * Adapts new messages, together because they share most of what is read: for their recipients, for bots that they
 * mention in a public channel, and for clients that receive all public channels. The result lacks events that the
 * receiver does not get.
 */
export async function adaptMessages(
  receiver: Receiver,
  events: readonly ChatEvent[],
): Promise<ReadonlyMap<ChatEvent, ChatEvent>> {
  const { app, permissions, user: viewer, topicWork, areFlagsNew: areNew } = receiver;
  const received = await findReceivedMessages(receiver, events);
  if (received.length === 0) return new Map();
  const view = { viewer, format: messageFormatFor(receiver), topicWork, areNew };
  const convert = createMessagesConverter(app, permissions, view);
  const messages = await convert(received.map(({ visible }) => visible));
  // The sending client's own identifier of a message is for its own queue only.
  const toLocalId = ({ sender_queue_id, local_id }: ChatEvent, { message }: VisibleMessage) => {
    const isOwn = sender_queue_id === receiver.queueId && message.sender_id === viewer.id;
    return isOwn && typeof local_id === "string" ? { local_message_id: local_id } : {};
  };
  return new Map(
    zip(received, messages).map(([{ event, visible }, { flags, ...message }]) => [
      event,
      { type: "message", message, flags, ...toLocalId(event, visible) },
    ]),
  );
}

async function findReceivedMessages(
  receiver: Receiver,
  events: readonly ChatEvent[],
): Promise<readonly ReceivedMessage[]> {
  const { app, permissions, user } = receiver;
  const ids = events.map(({ message_id }) => Number(message_id));
  const stored = await Promise.all(ids.map((id) => readMessage(app, permissions.realm.id, id)));
  const readVisible = createVisibilityReader(app, permissions, user);
  const visible = await readVisible(stored.filter((message) => message !== null));
  const byId = new Map(visible.filter((found) => found !== null).map((found) => [found.message.id, found]));
  const receivesAll = receiver.queue.all_public_streams && !isGuest(user);
  const received = zip(events, ids).flatMap(([event, id]) => {
    const found = byId.get(id);
    if (found === undefined) return [];
    const isPublic = found.channel?.invite_only === false;
    const isReceived = found.isReceived || isPublic && isForMentionedBot(event, user.id);
    return isReceived || isPublic && receivesAll ? [{ event, visible: { ...found, isReceived } }] : [];
  });
  return await filterByNarrow(receiver, received);
}

async function filterByNarrow(
  { app, permissions, user, terms }: Receiver,
  received: readonly ReceivedMessage[],
): Promise<readonly ReceivedMessage[]> {
  if (terms === null) return [];
  if (terms.length === 0) return received;
  const ids = received.map(({ visible }) => visible.message.id);
  const found = await Array.fromAsync(findAmongIds(app, permissions, { ids, query: { user, terms } }));
  const matching = new Set(found.map(({ message }) => message.id));
  return received.filter(({ visible }) => matching.has(visible.message.id));
}

/** Adapts a change of messages: adds the content before and after an edit, and the topics of a move. */
async function adaptUpdate(receiver: Receiver, event: ChatEvent): Promise<ChatEvent[]> {
  const { app, permissions, user } = receiver;
  const { is_content_edited, orig_subject, subject, ...rest } = event;
  const visible = await readVisibleMessage(receiver, event["message_id"]);
  const isMove = orig_subject !== undefined;
  if (visible === null) return isMove ? adaptMoveAsDeletion(receiver, event) : [];
  return [{
    ...rest,
    ...(typeof orig_subject === "string" ? { orig_subject: topicNameFor(receiver, orig_subject) } : {}),
    ...(typeof subject === "string"
      ? {
        subject: topicNameFor(receiver, subject),
        topic_links: await linkifierSetOf(permissions.organization).topics.find(subject, receiver.topicWork),
      }
      : {}),
    ...(is_content_edited === true ? await toContentFields(receiver, visible) : {}),
    ...await toChannelName(receiver, event, visible),
    flags: await readMessageFlags(app, permissions, { visible, user }),
  }];
}

/** Adapts a move as a deletion, for receivers who cannot access the messages at their new location. */
function adaptMoveAsDeletion(receiver: Receiver, event: ChatEvent): ChatEvent[] {
  const { message_ids, stream_id, orig_subject: topic } = event;
  return adaptDeletion(receiver, {
    type: "delete_message",
    message_ids,
    message_type: "stream",
    stream_id,
    topic,
  });
}

/** Names the channel of the event: that in which the messages were, if the receiver knows it. */
async function toChannelName(
  { app, permissions, user }: Receiver,
  { stream_id }: ChatEvent,
  { channel }: VisibleMessage,
): Promise<{ stream_name?: string }> {
  if (channel === null || typeof stream_id !== "number") return {};
  if (channel.id === stream_id) return { stream_name: channel.name };
  const before = await readChannelViewer({ get: (key) => app.reads.read(key) }, {
    realmId: permissions.realm.id,
    channelId: stream_id,
    user,
  });
  return before !== null && hasMetadataAccess(permissions, before)
    ? { stream_name: before.channel.name }
    : {};
}

async function toContentFields({ app, permissions }: Receiver, { message }: VisibleMessage) {
  const history = message.history_bytes === undefined
    ? []
    : await readEditHistory(app, permissions.realm.id, message.id);
  const before = history.find((entry) => entry.is_content_edited);
  return {
    content: message.content,
    rendered_content: await readRenderedContent(app, permissions.realm.id, message),
    orig_content: before?.prev_content ?? "",
    orig_rendered_content: before?.prev_rendered_content ?? "",
    is_me_message: message.is_me_message,
  };
}

/** Adapts a deletion of messages: one event for all, or one per message for older clients. */
export function adaptDeletion(receiver: Receiver, event: ChatEvent): ChatEvent[] {
  const { message_ids, topic, ...rest } = event;
  const adapted = typeof topic === "string" ? { ...rest, topic: topicNameFor(receiver, topic) } : rest;
  if (hasCapability(receiver, "bulk_message_deletion")) return [{ ...adapted, message_ids }];
  return Array.isArray(message_ids) ? message_ids.map((message_id) => ({ ...adapted, message_id })) : [];
}

/**
 * Adapts a reaction: only receivers with access to the message receive it. Older clients read who reacted from
 * `user`.
 */
export async function adaptReaction(receiver: Receiver, event: ChatEvent): Promise<ChatEvent[]> {
  if (await readVisibleMessage(receiver, event["message_id"]) === null) return [];
  const { app, permissions, user: viewer } = receiver;
  const id = Number(event["user_id"]);
  const user = findUser(permissions, id);
  return [{ ...event, user: { user_id: id, ...toReactingUser(app, permissions, { viewer, id, user }) } }];
}

/** Adapts a submessage: only receivers with access to the message receive it. */
export async function adaptSubmessage(receiver: Receiver, event: ChatEvent): Promise<ChatEvent[]> {
  return await readVisibleMessage(receiver, event["message_id"]) === null ? [] : [event];
}

/** Returns the name of a topic in the form that the receiver's client understands. */
export function topicNameFor(receiver: Receiver, topic: string): string {
  return toDisplayTopic(topic, hasCapability(receiver, "empty_topic_name"));
}

/** Maximum number of messages in one event; clients read the flags of older ones when they show them. */
const MAX_MESSAGES = 1000;

/**
 * Adapts the addition or removal of a flag: lists the messages, and details of those that are unread again.
 */
export async function adaptFlags(receiver: Receiver, event: ChatEvent): Promise<ChatEvent[]> {
  const { up_to, channel_id, topic, sender_id, ...rest } = event;
  const adapted = { ...rest, operation: event.op };
  if (typeof up_to !== "number") {
    if (event.op !== "remove" || event["flag"] !== "read") return [adapted];
    return [{ ...adapted, message_details: await toMessageDetails(receiver, event["messages"]) }];
  }
  const realmId = receiver.permissions.realm.id;
  const index = typeof sender_id === "number"
    ? messageKeys.sentBy(realmId, sender_id)
    : typeof channel_id !== "number"
    ? null
    : typeof topic === "string"
    ? messageKeys.ofTopic(realmId, channel_id, topic)
    : messageKeys.ofChannel(realmId, channel_id);
  if (index === null) return [{ ...adapted, messages: [], all: true }];
  return [{ ...adapted, messages: await listReceived(receiver, { index, upTo: up_to }), all: false }];
}

/** Returns the ids of the newest messages of an index that the receiver received, ascending. */
async function listReceived(
  receiver: Receiver,
  { index, upTo }: { index: Deno.KvKey; upTo: number },
): Promise<number[]> {
  const range = { prefix: [...index], end: [...index, upTo + 1] };
  const ids = await listIds(receiver.app, range, { reverse: true, limit: MAX_MESSAGES, batchSize: 500 });
  const messages = await Promise.all(ids.reverse().map((id) => readVisibleMessage(receiver, id)));
  return messages.flatMap((message) => message?.isReceived === true ? [message.message.id] : []);
}

/** Returns the location of messages that are unread again, by id, so that clients need not fetch them. */
async function toMessageDetails(receiver: Receiver, ids: unknown): Promise<Record<string, object>> {
  if (!Array.isArray(ids)) return {};
  const messages = await Promise.all(ids.map((id) => readVisibleMessage(receiver, id)));
  const details = messages.filter((message) => message !== null).map(async (message) =>
    [String(message.message.id), await toDetail(receiver, message)] as const
  );
  return Object.fromEntries(await Promise.all(details));
}

async function toDetail(receiver: Receiver, visible: VisibleMessage): Promise<object> {
  const { app, permissions, user } = receiver;
  const { message, channel, conversation } = visible;
  const flags = await readMessageFlags(app, permissions, { visible, user });
  const mentioned = flags.some((flag) => flag.endsWith("mentioned")) ? { mentioned: true } : {};
  if (channel === null) {
    const others = conversation?.user_ids.filter((id) => id !== user.id) ?? [];
    return { type: "private", ...mentioned, user_ids: others };
  }
  const topic = topicNameFor(receiver, message.topic);
  return { type: "stream", ...mentioned, stream_id: channel.id, topic };
}

/**
 * Adapts a change of messages. When they moved to another channel, those that the receiver cannot access
 * there are sent as deleted. When the receiver is subscribed to only one of the channels, messages also
 * become unread or read by the move, as no earlier event reported.
 */
export async function adaptUpdateOrMove(receiver: Receiver, event: ChatEvent): Promise<ChatEvent[]> {
  const { stream_id, new_stream_id, message_ids } = event;
  const isMove = typeof stream_id === "number" && typeof new_stream_id === "number";
  if (!isMove || !Array.isArray(message_ids)) return await adaptUpdate(receiver, event);
  const { app, permissions, user } = receiver;
  const { id: realmId } = permissions.realm;
  const [before, after, channel] = await Promise.all([
    app.reads.read<SubscriptionRecord>(channelKeys.subscription(realmId, user.id, stream_id)),
    app.reads.read<SubscriptionRecord>(channelKeys.subscription(realmId, user.id, new_stream_id)),
    app.reads.read<ChannelRecord>(channelKeys.channel(realmId, new_stream_id)),
  ]);
  const isSubscribed = after?.is_active === true;
  const hasAccess = channel !== null && hasContentAccess(permissions, { channel, user, isSubscribed });
  const ids = message_ids.map(Number);
  const visible = ids.filter((id) =>
    hasAccess && (channel.history_public_to_subscribers || wasReceived(after, id))
  );
  if (visible.length === 0) return await adaptUpdate(receiver, event);
  const hidden = ids.filter((id) => !visible.includes(id));
  // A visible message is named as the main one of the event when the original one is hidden.
  const isMainVisible = visible.includes(Number(event["message_id"]));
  const changes = isMainVisible ? {} : { message_id: visible[0], is_content_edited: false };
  return [
    ...await adaptUpdate(receiver, { ...event, ...changes, message_ids: visible }),
    ...hidden.length === 0 ? [] : adaptMoveAsDeletion(receiver, { ...event, message_ids: hidden }),
    ...await toReadEvents(receiver, { before, after, ids: visible }),
  ];
}

/** Reads only the messages whose state changes, which are few. */
async function toReadEvents(
  receiver: Receiver,
  { before, after, ids }: {
    before: SubscriptionRecord | null;
    after: SubscriptionRecord | null;
    ids: readonly number[];
  },
): Promise<ChatEvent[]> {
  const { app, permissions, user } = receiver;
  const changed = ids.filter((id) => canBeUnread(before, id) !== canBeUnread(after, id));
  // Messages that the receiver did not receive count as read.
  const isUnread = await Promise.all(changed.map(async (id) => {
    const visible = await readVisibleMessage(receiver, id);
    return visible !== null &&
      !(await readMessageFlags(app, permissions, { visible, user })).includes("read");
  }));
  return [
    ...await toFlagEvents(receiver, "remove", changed.filter((_, at) => isUnread[at])),
    ...await toFlagEvents(receiver, "add", changed.filter((id) => canBeUnread(before, id))),
  ];
}

/** Whether a message can be unread: the user is subscribed and received it. */
function canBeUnread(subscription: SubscriptionRecord | null, id: number): boolean {
  return subscription?.is_active === true && wasReceived(subscription, id);
}

async function toFlagEvents(
  receiver: Receiver,
  op: "add" | "remove",
  messages: readonly number[],
): Promise<ChatEvent[]> {
  if (messages.length === 0) return [];
  return await adaptFlags(receiver, { type: "update_message_flags", op, flag: "read", messages, all: false });
}
