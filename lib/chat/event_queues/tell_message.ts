import type { ChannelRecord } from "../channels/channel.ts";
import type { ChatEvent } from "../events/emit.ts";
import { look, readMessage, type SeenMessage } from "../messages/access.ts";
import { showTopic } from "../messages/edit_topic.ts";
import { findAmong } from "../messages/find.ts";
import { readFlags } from "../messages/flags.ts";
import { readHistory } from "../messages/history_record.ts";
import { readRendered, toMessage } from "../messages/view.ts";
import { readLinkifiers } from "../linkifiers/read_linkifiers.ts";
import { isGuest } from "../users/user.ts";
import { can, lookOf, type Receiver } from "./receiver.ts";

/** A message as the receiver sees it; null where he may not, or where it is gone. */
async function see({ app, permissions, user }: Receiver, id: unknown): Promise<SeenMessage | null> {
  const message = await readMessage(app, permissions.realm.id, Number(id));
  return message === null ? null : await look(app, permissions, { message, user });
}

/** A new message with its flags, for whom it was sent to and for clients that want all public channels. */
export async function tellMessage(receiver: Receiver, event: ChatEvent): Promise<ChatEvent[]> {
  const { app, permissions, user, terms } = receiver;
  const seen = await see(receiver, event["message_id"]);
  if (seen === null || !(seen.isReceived || wantsAll(receiver, seen.channel))) return [];
  if (terms === null || terms.length > 0 && !await matches(receiver, seen)) return [];
  const { flags, ...message } = await toMessage(app, permissions, {
    seen,
    viewer: user,
    look: lookOf(receiver),
  });
  return [{ type: "message", message, flags }];
}

function wantsAll({ queue, user }: Receiver, channel: ChannelRecord | null): boolean {
  return queue.all_public_streams && channel !== null && !channel.invite_only && !isGuest(user);
}

async function matches(
  { app, permissions, user, terms }: Receiver,
  { message }: SeenMessage,
): Promise<boolean> {
  for await (
    const _ of findAmong(app, permissions, { ids: [message.id], finding: { user, terms: terms ?? [] } })
  ) {
    return true;
  }
  return false;
}

/** A changed message: what it says now and said before, where that changed; what moved, and where to. */
export async function tellUpdate(receiver: Receiver, event: ChatEvent): Promise<ChatEvent[]> {
  const { app, permissions, user } = receiver;
  const { is_content_edited, orig_subject, subject, ...shown } = event;
  const seen = await see(receiver, event["message_id"]);
  const isMove = orig_subject !== undefined;
  if (seen === null) return isMove ? tellGone(receiver, event) : [];
  return [{
    ...shown,
    ...(typeof orig_subject === "string" ? { orig_subject: topicFor(receiver, orig_subject) } : {}),
    ...(typeof subject === "string" ? await topicWithLinks(receiver, subject) : {}),
    ...(is_content_edited === true ? await contentsOf(receiver, seen) : {}),
    flags: await readFlags(app, permissions, { seen, user }),
  }];
}

/** For those who may not see where messages were moved to, they are removed. */
export function tellGone(receiver: Receiver, event: ChatEvent): ChatEvent[] {
  const { message_ids, stream_id, orig_subject: topic } = event;
  return tellDelete(receiver, {
    type: "delete_message",
    message_ids,
    message_type: "stream",
    stream_id,
    topic,
  });
}

async function topicWithLinks(receiver: Receiver, subject: string) {
  const linkifiers = await readLinkifiers(receiver.app, receiver.permissions.realm.id);
  return { subject: topicFor(receiver, subject), topic_links: linkifiers.linksIn(subject) };
}

async function contentsOf({ app, permissions }: Receiver, { message }: SeenMessage) {
  const history = message.history_bytes === undefined
    ? []
    : await readHistory(app, permissions.realm.id, message.id);
  const before = history.find((entry) => entry.is_content_edited);
  return {
    content: message.content,
    rendered_content: await readRendered(app, permissions.realm.id, message),
    orig_content: before?.prev_content ?? "",
    orig_rendered_content: before?.prev_rendered_content ?? "",
    is_me_message: message.is_me_message,
  };
}

/** Messages that are gone: all in one event, or one for each where the client takes no other. */
export function tellDelete(receiver: Receiver, event: ChatEvent): ChatEvent[] {
  const { message_ids, topic, ...shown } = event;
  const placed = typeof topic === "string" ? { ...shown, topic: topicFor(receiver, topic) } : shown;
  if (can(receiver, "bulk_message_deletion")) return [{ ...placed, message_ids }];
  return Array.isArray(message_ids) ? message_ids.map((message_id) => ({ ...placed, message_id })) : [];
}

/** A reaction, for those who may see the message. */
export async function tellReaction(receiver: Receiver, event: ChatEvent): Promise<ChatEvent[]> {
  return await see(receiver, event["message_id"]) === null ? [] : [event];
}

/** A topic as the receiver's client knows it. */
export function topicFor(receiver: Receiver, topic: string): string {
  return showTopic(topic, can(receiver, "empty_topic_name"));
}
