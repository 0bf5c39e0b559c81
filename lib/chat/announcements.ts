import { afterCommit } from "@/lib/store/durably.ts";
import { transact } from "@/lib/store/transact.ts";
import type { ChatApp } from "./app.ts";
import {
  type ChangedChannel,
  channelKeys,
  type ChannelRecord,
  EMPTY_TOPIC_NAME,
  UNLIMITED_RETENTION,
} from "./channels/model/channel.ts";
import { removeMessage } from "./messages/delete_messages.ts";
import { readChannelLocation } from "./messages/edit_rules.ts";
import { changeFlags } from "./messages/change_flags.ts";
import { messageKeys, type MessageRecord } from "./messages/model.ts";
import { prepareContent } from "./messages/prepare_content.ts";
import { type OutgoingMessage, sendMessage } from "./messages/send_message.ts";
import { findNewestId } from "./messages/store.ts";
import type { RealmRecord } from "./organizations/model.ts";
import { permissionsOf } from "./permissions/store.ts";
import type { ChannelRef } from "./rendering/context.ts";
import { formatNarrowHref } from "./rendering/urls.ts";
import { isResolutionChange, isResolved, isSameTopic } from "./topics/model.ts";
import { type Caller, isBot, type UserRecord } from "./users/model.ts";
import { getNotificationBot, readUser } from "./users/store.ts";

/** Characters that a link to a channel or topic cannot contain. */
const UNLINKABLE = /[`>*&[\]]|\$\$/;

/** Formats a silent mention of a user, which notifies no one. */
export function silentMention({ full_name, id }: UserRecord): string {
  return `@_**${full_name}|${id}**`;
}

/** Formats a link to a channel, or to a topic in it. */
export function formatChannelLink(channel: ChannelRef, topic: string | null = null): string {
  const name = topic === null ? channel.name : `${channel.name}>${topic}`;
  if (!UNLINKABLE.test(channel.name + (topic ?? ""))) return `#**${name}**`;
  const label = topic === null
    ? channel.name
    : `${channel.name} > ${topic === "" ? EMPTY_TOPIC_NAME : topic}`;
  return `[${escapeMarkdown(`#${label}`)}](${formatNarrowHref(channel, topic, null)})`;
}

/** Formats a name in bold, whatever characters it has. */
function formatName(name: string): string {
  return `**${escapeMarkdown(name)}**`;
}

/** Replaces the punctuation that Markdown could read as a mark with character references. */
export function escapeMarkdown(text: string): string {
  return text.replace(/[`*_~[\]<>&$\\:@#|]/g, (char) => `&#${char.charCodeAt(0)};`);
}

/** Formats text as a quote block whose fence is longer than any run of backticks in it. */
export function quoteMarkdown(text: string): string {
  const fence = "`".repeat(Math.max(3, ...[...text.matchAll(/`+/g)].map(([run]) => run.length + 1)));
  return `${fence} quote\n${text === "" ? "*No description.*" : text}\n${fence}`;
}

/**
 * Sends a notice about a change of a channel to the channel; returns the message's id, or null if sending
 * failed.
 */
async function sendChannelNotice(
  app: ChatApp,
  { realm }: Caller,
  { channel, text }: { channel: ChannelRecord; text: string },
): Promise<number | null> {
  const topic = channel.topics_policy === "empty_topic_only" ? "" : "channel events";
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
  const outgoing = { realm, sender: bot, target, prepared, client: "Internal", claim };
  return (await sendMessage(app, outgoing)).id;
}

/** Marks a notice about what the acting user did as read by them, if they can read it. */
async function markNoticeRead(
  app: ChatApp,
  { realm, actingUser }: Caller,
  id: number,
): Promise<void> {
  const flags = { ids: [id], change: { flag: "read", op: "add" } } as const;
  await afterCommit(() => changeFlags(app, { realm, user: actingUser }, flags));
}

/** Announces a new channel in itself and, on request, in the organization's channel for announcements. */
export async function announceNewChannel(
  app: ChatApp,
  caller: Caller,
  { channel, isAnnounced }: { channel: ChannelRecord; isAnnounced: boolean },
): Promise<void> {
  const { realm, actingUser } = caller;
  const actor = silentMention(actingUser);
  const text = `**${privacyName(channel)}** channel created by ${actor}. **Description:**\n${
    quoteMarkdown(channel.description)
  }`;
  const messageId = await sendChannelNotice(app, caller, { channel, text });
  // The creator of a private channel for others has no access to it.
  if (messageId !== null) await markNoticeRead(app, caller, messageId);
  const announcementsId = realm.settings.new_stream_announcements_stream_id;
  const announcements = announcementsId === null || !isAnnounced
    ? null
    : await app.reads.read<ChannelRecord>(channelKeys.channel(realm.id, announcementsId));
  if (announcements === null || announcements.is_archived) return;
  const target = { kind: "channel", channel: announcements.id, topic: "new channels" } as const;
  await sendNotice(app, realm, {
    target,
    text: `${actor} created a new channel ${formatChannelLink(channel)}.`,
  });
}

/** Announces the changes of a channel in it. */
export async function announceChannelChanges(
  app: ChatApp,
  caller: Caller,
  { before, after }: ChangedChannel,
): Promise<void> {
  if (after.is_archived) return;
  const actor = silentMention(caller.actingUser);
  const texts = CHANGE_FORMATTERS.flatMap((format) => format(before, after, actor) ?? []);
  for (const text of texts) await sendChannelNotice(app, caller, { channel: after, text });
}

/** Returns a sentence about one kind of change, or null without such a change. */
type ChangeFormatter = (before: ChannelRecord, after: ChannelRecord, actor: string) => string | null;

const CHANGE_FORMATTERS: readonly ChangeFormatter[] = [
  (before, after) =>
    before.is_archived && !after.is_archived
      ? `Channel ${formatChannelLink(after)} has been unarchived.`
      : null,
  (before, after, actor) =>
    before.name === after.name
      ? null
      : `${actor} renamed channel ${formatName(before.name)} to ${formatName(after.name)}.`,
  (before, after, actor) =>
    before.description === after.description
      ? null
      : `${actor} changed the description for this channel.\n\n* **Old description:**\n${
        quoteMarkdown(before.description)
      }\n* **New description:**\n${quoteMarkdown(after.description)}`,
  (before, after, actor) =>
    privacyName(before) === privacyName(after)
      ? null
      : `${actor} changed the access permissions for this channel from **${privacyName(before)}** to **${
        privacyName(after)
      }**.`,
  (before, after, actor) =>
    isSamePermission(before, after, "can_send_message_group")
      ? null
      : `${actor} changed the posting permissions for this channel.`,
  (before, after, actor) =>
    before.message_retention_days === after.message_retention_days
      ? null
      : `${actor} has changed the message retention period from **${retentionName(before)}** to **${
        retentionName(after)
      }**.`,
  (before, after, actor) =>
    before.topics_policy === after.topics_policy
      ? null
      : `${actor} changed the topics policy from **${POLICY_NAMES[before.topics_policy]}** to **${
        POLICY_NAMES[after.topics_policy]
      }**.`,
];

function isSamePermission(before: ChannelRecord, after: ChannelRecord, setting: string): boolean {
  return JSON.stringify(before.permissions[setting]) === JSON.stringify(after.permissions[setting]);
}

/** Returns the name of a channel's privacy, as the notices use it. */
function privacyName({ invite_only, is_web_public, history_public_to_subscribers }: ChannelRecord): string {
  if (is_web_public) return "Web-public";
  if (!invite_only) return "Public";
  return history_public_to_subscribers ? "Private, shared history" : "Private, protected history";
}

function retentionName({ message_retention_days: days }: ChannelRecord): string {
  if (days === null) return "the organization's default";
  return days === UNLIMITED_RETENTION ? "forever" : `${days} days`;
}

const POLICY_NAMES = {
  inherit: "automatic",
  allow_empty_topic: "general chat topic allowed",
  disable_empty_topic: "no general chat topic",
  empty_topic_only: "only general chat topic allowed",
} as const;

/** Sends a notice to each user that the caller added to a group or removed from it, except for themselves. */
export async function announceGroupMembers(
  app: ChatApp,
  caller: Caller,
  { groupId, added, removed }: { groupId: number; added: readonly number[]; removed: readonly number[] },
): Promise<void> {
  const { realm, actingUser } = caller;
  const group = (permissionsOf(await app.readOrganization(realm.id), app.clock)).groups.get(groupId);
  if (group === undefined) return;
  const actor = silentMention(actingUser);
  // A name with an asterisk cannot be mentioned.
  const mention = group.name.includes("*") ? formatName(group.name) : `@_*${group.name}*`;
  const notices = [
    { ids: added, text: `${actor} added you to the group ${mention}.` },
    { ids: removed, text: `${actor} removed you from the group ${mention}.` },
  ];
  for (const { ids, text } of notices) {
    const found = await Promise.all([...new Set(ids)].map((id) => readUser(app, realm.id, id)));
    const users = found.filter((user) => user !== null).filter(({ id }) => id !== actingUser.id);
    await sendUserNotices(app, caller, { users, text });
  }
}

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

/** Messages that the caller moved. */
export interface MovedMessages {
  readonly from: NoticeTopic;
  readonly to: NoticeTopic;
  /** The message that the request named. */
  readonly messageId: number;
  readonly count: number;
  /** Whether all messages of the topic moved that the caller can see. */
  readonly isWhole: boolean;
  /** Whether the caller could see other messages of the new topic before. */
  readonly joinsOthers: boolean;
  readonly isContentEdited: boolean;
}

/** Posts the notices about a move in the new topic and the old one, as the request asks for them. */
export async function announceMove(
  app: ChatApp,
  caller: Caller,
  moved: MovedMessages,
  { toOld, toNew }: { toOld: boolean; toNew: boolean },
): Promise<void> {
  const { from, to } = moved;
  const isResolution = from.channel.id === to.channel.id && isResolutionChange(from.topic, to.topic);
  if (isResolution && !moved.isContentEdited) await announceResolution(app, caller, to);
  const actor = silentMention(caller.actingUser);
  if (toNew && !isResolution) {
    const what = describeArrival(moved);
    await post(app, caller, {
      at: to,
      text: `${what} moved here from ${formatOrigin(from, to)} by ${actor}.`,
    });
  }
  if (toOld) {
    const what = describeDeparture(moved);
    await post(app, caller, {
      at: from,
      text: `${what} to ${formatTopicLink(to, from.channel)} by ${actor}.`,
    });
  }
}

function describeArrival({ to, messageId, count, isWhole, joinsOthers }: MovedMessages): string {
  if (isWhole && !joinsOthers) return "This topic was";
  if (count > 1) return `${count} messages were`;
  return `[A message](${formatNarrowHref(to.channel, to.topic, String(messageId))}) was`;
}

function describeDeparture({ count, isWhole }: MovedMessages): string {
  if (isWhole) return "This topic was moved";
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
  const id = await sendNotice(app, caller.realm, { target, text });
  if (id !== null) await markNoticeRead(app, caller, id);
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
