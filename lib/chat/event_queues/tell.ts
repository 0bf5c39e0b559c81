import { listRealmEmoji } from "../emoji/view.ts";
import type { ChatEvent, StoredEvent } from "../events/emit.ts";
import { isFor, wants } from "./audience.ts";
import { can, type Receiver } from "./receiver.ts";
import { tellChannel } from "./tell_channel.ts";
import { tellFlags } from "./tell_flags.ts";
import { tellGroup } from "./tell_group.ts";
import { tellUpdateOrMove } from "./tell_move.ts";
import { tellDelete, tellMessage, tellReaction, topicFor } from "./tell_message.ts";
import { tellSetting } from "./tell_setting.ts";
import { tellSubscription } from "./tell_subscription.ts";

type Teller = (receiver: Receiver, event: ChatEvent) => ChatEvent[] | Promise<ChatEvent[]>;

/** How events are told that depend on who is told; all others go as they are. */
const TELLERS: Readonly<Record<string, Teller>> = {
  message: tellMessage,
  update_message: tellUpdateOrMove,
  delete_message: tellDelete,
  reaction: tellReaction,
  update_message_flags: tellFlags,
  presence: tellPresence,
  realm_emoji: tellEmoji,
  typing: tellTyping,
  user_topic: tellUserTopic,
  user_settings: tellSetting,
  realm_linkifiers: tellLinkifiers,
  stream: tellChannel,
  subscription: tellSubscription,
  user_group: tellGroup,
};

/** An event as the receiver's client takes it; none where he is not told, several where it takes no such event. */
export async function tell(receiver: Receiver, stored: StoredEvent): Promise<readonly ChatEvent[]> {
  if (!await isFor(receiver, stored)) return [];
  const { event } = stored;
  const told = await TELLERS[event.type]?.(receiver, event) ?? [event];
  return told.filter(({ type }) => wants(receiver.queue, type));
}

function tellPresence(receiver: Receiver, event: ChatEvent): ChatEvent[] {
  const { type, presences, email, ...legacy } = event;
  if (can(receiver, "simplified_presence_events")) return [{ type, presences }];
  return [receiver.queue.slim_presence ? { type, ...legacy } : { type, email, ...legacy }];
}

async function tellEmoji({ app, permissions }: Receiver, event: ChatEvent): Promise<ChatEvent[]> {
  return [{ ...event, realm_emoji: await listRealmEmoji(app, permissions.realm.id) }];
}

function tellTyping(receiver: Receiver, event: ChatEvent): ChatEvent[] {
  const { topic } = event;
  if (typeof topic !== "string") return [event];
  return can(receiver, "stream_typing_notifications") ? [{ ...event, topic: topicFor(receiver, topic) }] : [];
}

function tellUserTopic(receiver: Receiver, event: ChatEvent): ChatEvent[] {
  const { topic_name } = event;
  return [typeof topic_name === "string" ? { ...event, topic_name: topicFor(receiver, topic_name) } : event];
}

/** Clients that do not know URL templates are told of no linkifiers. */
function tellLinkifiers(receiver: Receiver, event: ChatEvent): ChatEvent[] {
  return can(receiver, "linkifier_url_template") ? [event] : [];
}
