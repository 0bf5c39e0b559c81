import { AppError } from "@/lib/core/errors.ts";
import type { ChatApp } from "../app.ts";
import type { ChannelRecord } from "../channels/channel.ts";
import { prepareContent } from "../messages/prepare_content.ts";
import { sendMessage } from "../messages/send.ts";
import type { MessageTarget } from "../messages/place.ts";
import type { RealmRecord } from "../realm/realm.ts";
import type { Caller } from "../users/caller.ts";
import { getNotificationBot } from "../users/notification_bot.ts";
import { isBot, type UserRecord } from "../users/user.ts";

/** The topic that a channel's own changes are told in. */
const CHANNEL_EVENTS = "channel events";
/** The program that the bot's messages come from. */
const CLIENT = "Internal";

/** A silent mention: it names somebody without calling him. */
export function mention({ full_name, id }: UserRecord): string {
  return `@_**${full_name}|${id}**`;
}

/** Text as a quotation, whatever it holds. */
export function quote(text: string): string {
  const fence = "`".repeat(Math.max(3, ...[...text.matchAll(/`+/g)].map(([run]) => run.length + 1)));
  return `${fence} quote\n${text === "" ? "*No description.*" : text}\n${fence}`;
}

/** Tells a channel of a change of itself, and gives the message's id or null. What was changed stays so whether or not this can be told. */
export async function tellChannel(
  app: ChatApp,
  { realm }: Caller,
  { channel, text }: { channel: ChannelRecord; text: string },
): Promise<number | null> {
  const topic = channel.topics_policy === "empty_topic_only" ? "" : CHANNEL_EVENTS;
  return await tell(app, realm, { target: { kind: "channel", channel: channel.id, topic }, text });
}

/** Tells people, each by himself; bots are not told. */
export async function tellPeople(
  app: ChatApp,
  { realm }: Caller,
  { people, text }: { people: readonly UserRecord[]; text: string },
): Promise<void> {
  for (const person of people) {
    if (!isBot(person) && person.is_active) {
      await tell(app, realm, { target: { kind: "direct", userIds: [person.id] }, text });
    }
  }
}

/** Says something as the organization's notification bot and gives the message's id; null where it could not be said: what happened is not undone. */
export async function tell(
  app: ChatApp,
  realm: RealmRecord,
  { target, text }: { target: MessageTarget; text: string },
): Promise<number | null> {
  try {
    const bot = await getNotificationBot(app, realm);
    const prepared = await prepareContent(app, { realm, author: bot }, text);
    return await sendMessage(app, { realm, sender: bot, target, prepared, client: CLIENT });
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}
