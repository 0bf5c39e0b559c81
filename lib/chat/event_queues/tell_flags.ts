import { toEntry } from "@/lib/kv/key.ts";
import type { ChatEvent } from "../events/emit.ts";
import { look, readMessage, type SeenMessage } from "../messages/access.ts";
import { messageKeys } from "../messages/message.ts";
import { readFlags } from "../messages/flags.ts";
import { topicFor } from "./tell_message.ts";
import type { Receiver } from "./receiver.ts";

/** The most messages that one event names; clients read anew what is older when they come to it. */
const MAX_TOLD = 1000;

/** A flag that was set or taken away, with the messages that it is about. */
export async function tellFlags(receiver: Receiver, event: ChatEvent): Promise<ChatEvent[]> {
  const { up_to, channel_id, topic, sender_id, ...shown } = event;
  const whole = { ...shown, operation: event.op };
  if (typeof up_to !== "number") {
    if (event.op !== "remove" || event["flag"] !== "read") return [whole];
    return [{ ...whole, message_details: await detailsOf(receiver, event["messages"]) }];
  }
  const realmId = receiver.permissions.realm.id;
  const place = typeof sender_id === "number"
    ? messageKeys.sentBy(realmId, sender_id)
    : typeof channel_id !== "number"
    ? null
    : typeof topic === "string"
    ? messageKeys.ofTopic(realmId, channel_id, topic)
    : messageKeys.ofChannel(realmId, channel_id);
  if (place === null) return [{ ...whole, messages: [], all: true }];
  return [{ ...whole, messages: await receivedIn(receiver, { place, upTo: up_to }), all: false }];
}

/** The newest messages of an index, ascending, that were sent to the receiver. */
async function receivedIn(
  { app, permissions, user }: Receiver,
  { place, upTo }: { place: Deno.KvKey; upTo: number },
): Promise<number[]> {
  const range = { prefix: [...place], end: [...place, upTo + 1] };
  const ids: number[] = [];
  const listing = app.store.kv.list(range, { reverse: true, limit: MAX_TOLD, batchSize: 500 });
  for await (const entry of listing) ids.push(Number(toEntry(entry).key.at(-1)));
  const seen = await Promise.all(ids.reverse().map((id) => seeById({ app, permissions, user }, id)));
  return seen.flatMap((one) => one?.isReceived === true ? [one.message.id] : []);
}

async function seeById(
  { app, permissions, user }: Pick<Receiver, "app" | "permissions" | "user">,
  id: number,
) {
  const message = await readMessage(app, permissions.realm.id, id);
  return message === null ? null : await look(app, permissions, { message, user });
}

/** Where messages are that count as not read again, so that clients find them without asking. */
async function detailsOf(receiver: Receiver, ids: unknown): Promise<Record<string, object>> {
  if (!Array.isArray(ids)) return {};
  const seen = await Promise.all(ids.map((id) => seeById(receiver, Number(id))));
  const details = seen.filter((one) => one !== null).map(async (one) =>
    [String(one.message.id), await toDetail(receiver, one)] as const
  );
  return Object.fromEntries(await Promise.all(details));
}

async function toDetail(receiver: Receiver, seen: SeenMessage): Promise<object> {
  const { app, permissions, user } = receiver;
  const { message, channel, conversation } = seen;
  const isMentioned = (await readFlags(app, permissions, { seen, user })).some((flag) =>
    flag.endsWith("mentioned")
  );
  const mentioned = isMentioned ? { mentioned: true } : {};
  if (channel === null) {
    const others = conversation?.user_ids.filter((id) => id !== user.id) ?? [];
    return { type: "private", ...mentioned, user_ids: others };
  }
  const topic = topicFor(receiver, message.topic);
  return { type: "stream", ...mentioned, stream_id: channel.id, topic };
}
