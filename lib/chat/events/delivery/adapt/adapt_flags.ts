import type { ChatEvent } from "@/lib/chat/events/model.ts";
import { readMessageFlags } from "@/lib/chat/messages/flags/store.ts";
import { messageKeys, type VisibleMessage } from "@/lib/chat/messages/model.ts";
import { toEntry } from "@/lib/store/key.ts";
import type { Receiver } from "../receiver.ts";
import { readVisibleMessage, topicNameFor } from "./adapt_message.ts";

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
  const ids: number[] = [];
  const options = { reverse: true, limit: MAX_MESSAGES, batchSize: 500 };
  for await (const entry of receiver.app.store.kv.list(range, options)) {
    ids.push(Number(toEntry(entry).key.at(-1)));
  }
  const messages = await Promise.all(ids.reverse().map((id) => readVisibleMessage(receiver, id)));
  return messages.flatMap((one) => one?.isReceived === true ? [one.message.id] : []);
}

/** Returns the location of messages that are unread again, by id, so that clients need not fetch them. */
async function toMessageDetails(receiver: Receiver, ids: unknown): Promise<Record<string, object>> {
  if (!Array.isArray(ids)) return {};
  const messages = await Promise.all(ids.map((id) => readVisibleMessage(receiver, id)));
  const details = messages.filter((one) => one !== null).map(async (one) =>
    [String(one.message.id), await toDetail(receiver, one)] as const
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
