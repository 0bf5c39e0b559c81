import { channelKeys, type SubscriptionRecord } from "../channels/channel.ts";
import type { ChatEvent } from "../events/emit.ts";
import { look, readMessage, wasReceived } from "../messages/access.ts";
import { readFlags } from "../messages/flags.ts";
import type { Receiver } from "./receiver.ts";
import { tellFlags } from "./tell_flags.ts";
import { tellUpdate } from "./tell_message.ts";

/**
 * A changed message. Where messages came from a channel in which they were not sent to the receiver to one in which they
 * count as such, or the other way round, he is told what is unread by it and what no longer is: no event told him before.
 */
export async function tellUpdateOrMove(receiver: Receiver, event: ChatEvent): Promise<ChatEvent[]> {
  const told = await tellUpdate(receiver, event);
  const { stream_id, new_stream_id, message_ids } = event;
  const isMove = typeof stream_id === "number" && typeof new_stream_id === "number";
  const isSeen = told.some(({ type }) => type === event.type);
  if (!isMove || !isSeen || !Array.isArray(message_ids)) return told;
  const [before, after] = await Promise.all([stream_id, new_stream_id].map((id) => readOwn(receiver, id)));
  // The messages themselves are read for the few alone for whom anything is other than before.
  const ids = message_ids.map(Number);
  const moved = ids.filter((id) => wasReceived(before ?? null, id) !== wasReceived(after ?? null, id));
  const isUnread = await Promise.all(moved.map((id) => isUnreadFor(receiver, id)));
  const vanished = moved.filter((id) => wasReceived(before ?? null, id));
  return [
    ...told,
    ...await toFlagEvents(receiver, "remove", moved.filter((_, at) => isUnread[at])),
    ...await toFlagEvents(receiver, "add", vanished),
  ];
}

async function readOwn(
  { app, world, user }: Receiver,
  channelId: number,
): Promise<SubscriptionRecord | null> {
  return await app.reads.read(channelKeys.subscription(world.realm.id, user.id, channelId));
}

/** What was not sent to somebody counts as read. */
async function isUnreadFor({ app, world, user }: Receiver, id: number): Promise<boolean> {
  const message = await readMessage(app, world.realm.id, id);
  const seen = message === null ? null : await look(app, world, { message, user });
  return seen !== null && !(await readFlags(app, world, { seen, user })).includes("read");
}

async function toFlagEvents(
  receiver: Receiver,
  op: "add" | "remove",
  messages: readonly number[],
): Promise<ChatEvent[]> {
  if (messages.length === 0) return [];
  return await tellFlags(receiver, { type: "update_message_flags", op, flag: "read", messages, all: false });
}
