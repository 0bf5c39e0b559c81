import { afterCommit } from "@/lib/store/durably.ts";
import type { ChatApp } from "../app.ts";
import type { ChannelRecord } from "../channels/model/channel.ts";
import { changeFlags } from "../messages/flags/change_flags.ts";
import { prepareContent } from "../messages/render/prepare_content.ts";
import { type OutgoingMessage, sendMessage } from "../messages/send/send_message.ts";
import type { RealmRecord } from "../organizations/model.ts";
import { type Caller, isBot, type UserRecord } from "../users/model.ts";
import { getNotificationBot } from "../users/notification_bot.ts";

/** Topic of the notices about changes of a channel. */
const CHANNEL_EVENTS_TOPIC = "channel events";
/** Client name of the notification bot's messages. */
const CLIENT_NAME = "Internal";

/**
 * Sends a notice about a change of a channel to the channel; returns the message's id, or null if sending
 * failed.
 */
export async function sendChannelNotice(
  app: ChatApp,
  { realm }: Caller,
  { channel, text }: { channel: ChannelRecord; text: string },
): Promise<number | null> {
  const topic = channel.topics_policy === "empty_topic_only" ? "" : CHANNEL_EVENTS_TOPIC;
  return await sendNotice(app, realm, { target: { kind: "channel", channel: channel.id, topic }, text });
}

/** Sends a notice to each active user in a direct message; skips bots. */
export async function sendUserNotices(
  app: ChatApp,
  { realm }: Caller,
  { users, text }: { users: readonly UserRecord[]; text: string },
): Promise<void> {
  for (const user of users) {
    if (!isBot(user) && user.is_active) {
      await sendNotice(app, realm, { target: { kind: "direct", userIds: [user.id] }, text });
    }
  }
}

/** A message of the notification bot. */
type Notice = Pick<OutgoingMessage, "target" | "claim"> & { readonly text: string };

/**
 * Sends a message as the notification bot; returns its id, or null if sending failed: the cause is not rolled
 * back.
 */
export async function sendNotice(
  app: ChatApp,
  realm: RealmRecord,
  notice: Notice,
): Promise<number | null> {
  return await afterCommit(() => postNotice(app, realm, notice));
}

/**
 * Sends a message as the notification bot, which is the action itself, and returns its id.
 * @throws AppError as `sendMessage`.
 */
export async function postNotice(
  app: ChatApp,
  realm: RealmRecord,
  { target, text, claim }: Notice,
): Promise<number> {
  const bot = await getNotificationBot(app, realm);
  const prepared = await prepareContent(app, { realm, author: bot }, text);
  const outgoing = { realm, sender: bot, target, prepared, client: CLIENT_NAME, claim };
  return (await sendMessage(app, outgoing)).id;
}

/** Marks a notice about what the acting user did as read by them, if they can read it. */
export async function markNoticeRead(
  app: ChatApp,
  { realm, actingUser }: Caller,
  id: number,
): Promise<void> {
  const flags = { ids: [id], change: { flag: "read", op: "add" } } as const;
  await afterCommit(() => changeFlags(app, { realm, user: actingUser }, flags));
}
