import { listRealmEmoji } from "@/lib/chat/emoji/store.ts";
import type { ChatEvent, StoredEvent } from "@/lib/chat/events/model.ts";
import { isSettingName, legacyEventType } from "@/lib/chat/user_settings/model/settings.ts";
import { toApiEmail } from "@/lib/chat/users/model.ts";
import { acceptsType, canReceive } from "../audience.ts";
import { hasCapability, type Receiver } from "../receiver.ts";
import { adaptChannel, adaptSubscription } from "./adapt_channel.ts";
import { adaptFlags } from "./adapt_flags.ts";
import { adaptGroup } from "./adapt_group.ts";
import {
  adaptDeletion,
  adaptMessages,
  adaptReaction,
  adaptSubmessage,
  readVisibleMessage,
  topicNameFor,
} from "./adapt_message.ts";
import { adaptUpdateOrMove } from "./adapt_move.ts";

type Adapter = (receiver: Receiver, event: ChatEvent) => ChatEvent[] | Promise<ChatEvent[]>;

/**
 * Adapters of the events whose form depends on the receiver, by type, but for new messages; other events are sent
 * unchanged.
 */
const ADAPTERS: Readonly<Record<string, Adapter>> = {
  update_message: adaptUpdateOrMove,
  delete_message: adaptDeletion,
  reaction: adaptReaction,
  submessage: adaptSubmessage,
  update_message_flags: adaptFlags,
  presence: adaptPresence,
  realm_emoji: adaptEmoji,
  typing: adaptTyping,
  typing_edit_message: adaptEditTyping,
  user_topic: adaptUserTopic,
  muted_topics: adaptMutedTopics,
  user_settings: adaptSetting,
  realm_linkifiers: adaptLinkifiers,
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

function adaptUserTopic(receiver: Receiver, event: ChatEvent): ChatEvent[] {
  const { topic_name } = event;
  if (typeof topic_name !== "string") return [event];
  return [{ ...event, topic_name: topicNameFor(receiver, topic_name) }];
}

async function adaptMutedTopics(receiver: Receiver, event: ChatEvent): Promise<ChatEvent[]> {
  return [{ ...event, muted_topics: await receiver.listMutedTopics() }];
}

/** Clients that do not know URL templates receive no linkifiers. */
function adaptLinkifiers(receiver: Receiver, event: ChatEvent): ChatEvent[] {
  return hasCapability(receiver, "linkifier_url_template") ? [event] : [];
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
