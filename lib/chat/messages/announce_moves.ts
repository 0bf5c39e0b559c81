import { afterCommit } from "@/lib/store/durably.ts";
import { transact } from "@/lib/store/transact.ts";
import type { ChatApp } from "../organization/app.ts";
import type { ChannelRecord } from "../organization/channels/model/channel.ts";
import { permissionsOf } from "../organization/permissions/store.ts";
import { formatChannelLink, silentMention } from "../organization/rendering/format_markdown.ts";
import { formatNarrowHref } from "../organization/rendering/urls.ts";
import { isResolutionChange, isResolved, isSameTopic } from "../channels/topics/model.ts";
import type { Caller } from "../organization/users/model.ts";
import { getNotificationBot } from "../people/put_user.ts";
import { removeMessage } from "./delete_messages.ts";
import { readChannelLocation } from "./edit_rules.ts";
import { messageKeys, type MessageRecord } from "./model.ts";
import { sendNotice } from "./notices.ts";
import { findNewestId } from "./store.ts";

/** Ends of the notices about a topic that was resolved or unresolved. */
const RESOLUTION_NOTICES = {
  resolved: " has marked this topic as resolved.",
  unresolved: " has marked this topic as unresolved.",
} as const;
/** Milliseconds within which the opposite change removes the notice, in place of a second one. */
const UNDO_PERIOD_MS = 60_000;

/** A topic of a channel, before or after a move. */
interface NoticeTopic {
  readonly channel: ChannelRecord;
  readonly topic: string;
}

export interface MovedMessages {
  readonly from: NoticeTopic;
  readonly to: NoticeTopic;
  readonly messageId: number;
  readonly count: number;
  /** Whether all messages of the topic moved that the caller can see. */
  readonly isEntireTopic: boolean;
  /** Whether the caller could see other messages of the new topic before. */
  readonly joinsOthers: boolean;
  readonly isContentEdited: boolean;
}

/** Posts the notices about a move in the new topic and the old one, as the request asks for them. */
export async function announceMove(
  app: ChatApp,
  caller: Caller,
  moved: MovedMessages,
  { send_notification_to_old_thread: toOld, send_notification_to_new_thread: toNew }: {
    send_notification_to_old_thread: boolean;
    send_notification_to_new_thread: boolean;
  },
): Promise<void> {
  const { from, to } = moved;
  const isResolution = from.channel.id === to.channel.id && isResolutionChange(from.topic, to.topic);
  if (isResolution && !moved.isContentEdited) await announceResolution(app, caller, to);
  const actor = silentMention(caller.actingUser);
  if (toNew && !isResolution) {
    const text = `${describeArrival(moved)} moved here from ${formatOrigin(from, to)} by ${actor}.`;
    await post(app, caller, { at: to, text });
  }
  if (toOld) {
    const text = `${describeDeparture(moved)} to ${formatTopicLink(to, from.channel)} by ${actor}.`;
    await post(app, caller, { at: from, text });
  }
}

function describeArrival({ to, messageId, count, isEntireTopic, joinsOthers }: MovedMessages): string {
  if (isEntireTopic && !joinsOthers) return "This topic was";
  if (count > 1) return `${count} messages were`;
  return `[A message](${formatNarrowHref(to.channel, to.topic, String(messageId))}) was`;
}

function describeDeparture({ count, isEntireTopic }: MovedMessages): string {
  if (isEntireTopic) return "This topic was moved";
  return count > 1 ? `${count} messages were moved from this topic` : "A message was moved from this topic";
}

/** Links the former topic of messages, which is not named to spectators: they see no edit history either. */
function formatOrigin(from: NoticeTopic, { channel: readable }: NoticeTopic): string {
  if (!readable.is_web_public) return formatTopicLink(from, readable);
  return from.channel.id === readable.id ? "another topic" : "another channel";
}

/** Links a topic for the readers of a channel; they may not know a channel that is less open. */
function formatTopicLink({ channel, topic }: NoticeTopic, readable: ChannelRecord): string {
  const isKnown = channel.id === readable.id || channel.is_web_public ||
    !channel.invite_only && !readable.is_web_public;
  return isKnown ? formatChannelLink(channel, topic) : "another channel";
}

async function announceResolution(app: ChatApp, caller: Caller, at: NoticeTopic): Promise<void> {
  if (await afterCommit(() => removeResolutionNotice(app, caller, at)) === true) return;
  const end = RESOLUTION_NOTICES[isResolved(at.topic) ? "resolved" : "unresolved"];
  await post(app, caller, { at, text: silentMention(caller.actingUser) + end });
}

async function post(
  app: ChatApp,
  caller: Caller,
  { at: { channel, topic }, text }: { at: NoticeTopic; text: string },
): Promise<void> {
  const target = { kind: "channel", channel: channel.id, topic } as const;
  await sendNotice(app, caller.realm, { target, text, readBy: caller.actingUser });
}

/** Removes the newest message of a topic if it is a recent notice that the topic was resolved or unresolved. */
async function removeResolutionNotice(
  app: ChatApp,
  { realm, actingUser: user }: Caller,
  { channel, topic }: NoticeTopic,
): Promise<boolean> {
  const bot = await getNotificationBot(app, realm);
  const isRemoved = await transact(app.store, async (tx) => {
    const permissions = permissionsOf(await tx.organization(realm.id), app.clock);
    const location = await readChannelLocation(tx, permissions, { channelId: channel.id, user });
    const id = await findNewestId(app, messageKeys.ofTopic(realm.id, channel.id, topic));
    const message = id === null ? null : await tx.get<MessageRecord>(messageKeys.message(realm.id, id));
    if (location === null || message === null || message.sender_id !== bot.id) return false;
    const isInTopic = isSameTopic({ channelId: message.channel_id ?? 0, topic: message.topic }, {
      channelId: channel.id,
      topic,
    });
    const isNotice = Object.values(RESOLUTION_NOTICES).some((end) => message.content.endsWith(end));
    if (!isInTopic || !isNotice || permissions.now - message.sent_at > UNDO_PERIOD_MS) return false;
    await removeMessage(app, tx, { permissions, editable: { message, location } });
    return true;
  });
  if (isRemoved) app.wordIndexer.contentChanged(realm.id);
  return isRemoved;
}
