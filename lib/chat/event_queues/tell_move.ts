import { hasContentAccess } from "../channels/access.ts";
import { channelKeys, type ChannelRecord, type SubscriptionRecord } from "../channels/channel.ts";
import type { ChatEvent } from "../events/emit.ts";
import { look, readMessage, wasReceived } from "../messages/access.ts";
import { readFlags } from "../messages/flags.ts";
import type { Receiver } from "./receiver.ts";
import { tellFlags } from "./tell_flags.ts";
import { tellGone, tellUpdate } from "./tell_message.ts";

/**
 * A changed message. Of those that moved to another channel, the receiver is told that those are gone that he may not see
 * there. Where they came from a channel in which they were not sent to him to one in which they count as such, or the
 * other way round, he is told what is unread by it and what no longer is: no event told him before.
 */
export async function tellUpdateOrMove(receiver: Receiver, event: ChatEvent): Promise<ChatEvent[]> {
  const { stream_id, new_stream_id, message_ids } = event;
  const isMove = typeof stream_id === "number" && typeof new_stream_id === "number";
  if (!isMove || !Array.isArray(message_ids)) return await tellUpdate(receiver, event);
  const [before, after] = await Promise.all([stream_id, new_stream_id].map((id) => readOwn(receiver, id)));
  const move = { before: before ?? null, after: after ?? null, ids: message_ids.map(Number) };
  const channel = await readChannel(receiver, new_stream_id);
  const seen = channel === null ? [] : listSeen(receiver, channel, move);
  if (seen.length === 0) return await tellUpdate(receiver, event);
  const gone = move.ids.filter((id) => !seen.includes(id));
  return [
    ...await tellSeen(receiver, event, seen),
    ...gone.length === 0 ? [] : tellGone(receiver, { ...event, message_ids: gone }),
    ...await tellRead(receiver, { ...move, ids: seen }),
  ];
}

interface Move {
  readonly before: SubscriptionRecord | null;
  readonly after: SubscriptionRecord | null;
  readonly ids: readonly number[];
}

async function readOwn(
  { app, permissions, user }: Receiver,
  channelId: number,
): Promise<SubscriptionRecord | null> {
  return await app.reads.read(channelKeys.subscription(permissions.realm.id, user.id, channelId));
}

function readChannel({ app, permissions }: Receiver, channelId: number): Promise<ChannelRecord | null> {
  return app.reads.read<ChannelRecord>(channelKeys.channel(permissions.realm.id, channelId));
}

/** Those of the messages that the receiver may see where they are now, as the channel and his subscription say. */
function listSeen(
  { permissions, user }: Receiver,
  channel: ChannelRecord,
  { after, ids }: Move,
): readonly number[] {
  if (!hasContentAccess(permissions, { channel, user, isSubscribed: after?.is_active === true })) return [];
  return channel.history_public_to_subscribers ? ids : ids.filter((id) => wasReceived(after, id));
}

/** The event names one message first; where that one may not be seen, another one takes its place. */
async function tellSeen(
  receiver: Receiver,
  event: ChatEvent,
  seen: readonly number[],
): Promise<ChatEvent[]> {
  const isFirstSeen = seen.includes(Number(event["message_id"]));
  const shown = isFirstSeen ? {} : { message_id: seen[0], is_content_edited: false };
  return await tellUpdate(receiver, { ...event, ...shown, message_ids: seen });
}

/** The messages themselves are read for the few alone for whom anything is other than before. */
async function tellRead(receiver: Receiver, { before, after, ids }: Move): Promise<ChatEvent[]> {
  const other = ids.filter((id) => counts(before, id) !== counts(after, id));
  const isUnread = await Promise.all(other.map((id) => isUnreadFor(receiver, id)));
  return [
    ...await toFlagEvents(receiver, "remove", other.filter((_, at) => isUnread[at])),
    ...await toFlagEvents(receiver, "add", other.filter((id) => counts(before, id))),
  ];
}

/** Whether a message can be unread for somebody: it was sent to him in a channel that he is in. */
function counts(own: SubscriptionRecord | null, id: number): boolean {
  return own?.is_active === true && wasReceived(own, id);
}

/** What was not sent to somebody counts as read. */
async function isUnreadFor({ app, permissions, user }: Receiver, id: number): Promise<boolean> {
  const message = await readMessage(app, permissions.realm.id, id);
  const seen = message === null ? null : await look(app, permissions, { message, user });
  return seen !== null && !(await readFlags(app, permissions, { seen, user })).includes("read");
}

async function toFlagEvents(
  receiver: Receiver,
  op: "add" | "remove",
  messages: readonly number[],
): Promise<ChatEvent[]> {
  if (messages.length === 0) return [];
  return await tellFlags(receiver, { type: "update_message_flags", op, flag: "read", messages, all: false });
}
