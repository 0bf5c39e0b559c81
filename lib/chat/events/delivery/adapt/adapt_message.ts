import { zip } from "es-toolkit/array/zip";
import { hasMetadataAccess } from "@/lib/chat/channels/model/access.ts";
import type { ChannelRecord } from "@/lib/chat/channels/model/channel.ts";
import { readChannelViewer } from "@/lib/chat/channels/store.ts";
import type { ChatEvent } from "@/lib/chat/events/model.ts";
import { readLinkifierSet } from "@/lib/chat/linkifiers/store.ts";
import { createVisibilityReader, toVisibleMessage } from "@/lib/chat/messages/access.ts";
import { createMessagesConverter } from "@/lib/chat/messages/api.ts";
import { readEditHistory } from "@/lib/chat/messages/edit/store.ts";
import { readMessageFlags } from "@/lib/chat/messages/flags/store.ts";
import type { VisibleMessage } from "@/lib/chat/messages/model.ts";
import { findAmongIds } from "@/lib/chat/messages/read/find_messages.ts";
import { readMessage, readRenderedContent } from "@/lib/chat/messages/store.ts";
import { toDisplayTopic } from "@/lib/chat/topics/model.ts";
import { toReactingUser } from "@/lib/chat/messages/reactions/api.ts";
import { isGuest } from "@/lib/chat/users/model.ts";
import { readUser } from "@/lib/chat/users/store.ts";
import { isForMentionedBot } from "../audience.ts";
import { hasCapability, messageFormatFor, type Receiver } from "../receiver.ts";

/** Reads a message that the receiver can access; null when they cannot, or when it was deleted. */
export async function readVisibleMessage(
  { app, permissions, user }: Receiver,
  id: unknown,
): Promise<VisibleMessage | null> {
  const message = await readMessage(app, permissions.realm.id, Number(id));
  return message === null ? null : await toVisibleMessage(app, permissions, { message, user });
}

/** A new message that the receiver gets. */
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
  return new Map(
    zip(received, messages).map(([{ event, visible }, { flags, ...message }]) => [
      event,
      { type: "message", message, flags, ...toLocalId(receiver, event, visible) },
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
  const received = zip(events, ids).flatMap(([event, id]) => {
    const found = byId.get(id);
    return found === undefined ? [] : toReceived(receiver, event, found);
  });
  return await filterByNarrow(receiver, received);
}

/** Returns a visible message if it is meant for the receiver. */
function toReceived(receiver: Receiver, event: ChatEvent, found: VisibleMessage): readonly ReceivedMessage[] {
  const isMentioned = found.channel?.invite_only === false && isForMentionedBot(event, receiver.user.id);
  const visible = isMentioned ? { ...found, isReceived: true } : found;
  return visible.isReceived || receivesChannel(receiver, visible.channel) ? [{ event, visible }] : [];
}

function receivesChannel({ queue, user }: Receiver, channel: ChannelRecord | null): boolean {
  return queue.all_public_streams && channel !== null && !channel.invite_only && !isGuest(user);
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

/** Returns the sending client's own identifier of a message, for its own queue only. */
function toLocalId({ queueId, user }: Receiver, event: ChatEvent, { message }: VisibleMessage): object {
  const { sender_queue_id, local_id } = event;
  const isOwn = sender_queue_id === queueId && message.sender_id === user.id;
  return isOwn && typeof local_id === "string" ? { local_message_id: local_id } : {};
}

/** Adapts a change of messages: adds the content before and after an edit, and the topics of a move. */
export async function adaptUpdate(receiver: Receiver, event: ChatEvent): Promise<ChatEvent[]> {
  const { app, permissions, user } = receiver;
  const { is_content_edited, orig_subject, subject, ...rest } = event;
  const visible = await readVisibleMessage(receiver, event["message_id"]);
  const isMove = orig_subject !== undefined;
  if (visible === null) return isMove ? adaptMoveAsDeletion(receiver, event) : [];
  return [{
    ...rest,
    ...(typeof orig_subject === "string" ? { orig_subject: topicNameFor(receiver, orig_subject) } : {}),
    ...(typeof subject === "string" ? await toTopicFields(receiver, subject) : {}),
    ...(is_content_edited === true ? await toContentFields(receiver, visible) : {}),
    ...await toChannelName(receiver, event, visible),
    flags: await readMessageFlags(app, permissions, { visible, user }),
  }];
}

/** Adapts a move as a deletion, for receivers who cannot access the messages at their new location. */
export function adaptMoveAsDeletion(receiver: Receiver, event: ChatEvent): ChatEvent[] {
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

async function toTopicFields(receiver: Receiver, subject: string) {
  const linkifiers = await readLinkifierSet(receiver.app, receiver.permissions.realm.id);
  const topic_links = await linkifiers.topics.find(subject, receiver.topicWork);
  return { subject: topicNameFor(receiver, subject), topic_links };
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
  const user = await readUser(app, permissions.realm.id, id);
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
