import type { ChatApp } from "../organization/app.ts";
import {
  formatChannelLink,
  formatName,
  quoteMarkdown,
  silentMention,
} from "../organization/rendering/format_markdown.ts";
import type { Caller, UserRecord } from "../organization/users/model.ts";
import {
  type ChangedChannel,
  channelKeys,
  type ChannelRecord,
  UNLIMITED_RETENTION,
} from "../organization/channels/model/channel.ts";

async function sendChannelNotice(
  app: ChatApp,
  { realm }: Caller,
  { channel, ...notice }: { channel: ChannelRecord; text: string; readBy?: UserRecord },
): Promise<void> {
  const topic = channel.topics_policy === "empty_topic_only" ? "" : "channel events";
  const target = { kind: "channel", channel: channel.id, topic } as const;
  await app.hooks.sendNotice(app, realm, { target, ...notice });
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
  await sendChannelNotice(app, caller, { channel, text, readBy: actingUser });
  const announcementsId = realm.settings.new_stream_announcements_stream_id;
  const announcements = announcementsId === null || !isAnnounced
    ? null
    : await app.reads.read<ChannelRecord>(channelKeys.channel(realm.id, announcementsId));
  if (announcements === null || announcements.is_archived) return;
  const target = { kind: "channel", channel: announcements.id, topic: "new channels" } as const;
  await app.hooks.sendNotice(app, realm, {
    target,
    text: `${actor} created a new channel ${formatChannelLink(channel)}.`,
  });
}

export async function announceChannelChanges(
  app: ChatApp,
  caller: Caller,
  { before, after }: ChangedChannel,
): Promise<void> {
  if (after.is_archived) return;
  for (const text of describeChanges(before, after, silentMention(caller.actingUser))) {
    await sendChannelNotice(app, caller, { channel: after, text });
  }
}

/** Yields a sentence about each kind of change. */
function* describeChanges(before: ChannelRecord, after: ChannelRecord, actor: string): Generator<string> {
  if (before.is_archived && !after.is_archived) {
    yield `Channel ${formatChannelLink(after)} has been unarchived.`;
  }
  if (before.name !== after.name) {
    yield `${actor} renamed channel ${formatName(before.name)} to ${formatName(after.name)}.`;
  }
  if (before.description !== after.description) {
    yield `${actor} changed the description for this channel.\n\n` +
      `* **Old description:**\n${quoteMarkdown(before.description)}\n` +
      `* **New description:**\n${quoteMarkdown(after.description)}`;
  }
  const [privacyBefore, privacy] = [privacyName(before), privacyName(after)];
  if (privacyBefore !== privacy) {
    yield `${actor} changed the access permissions for this channel from **${privacyBefore}** to **${privacy}**.`;
  }
  const [sendersBefore, senders] = [before, after].map(({ permissions }) =>
    permissions["can_send_message_group"]
  );
  if (JSON.stringify(sendersBefore) !== JSON.stringify(senders)) {
    yield `${actor} changed the posting permissions for this channel.`;
  }
  if (before.message_retention_days !== after.message_retention_days) {
    yield `${actor} has changed the message retention period from **${retentionName(before)}** to ` +
      `**${retentionName(after)}**.`;
  }
  if (before.topics_policy !== after.topics_policy) {
    const [from, to] = [POLICY_NAMES[before.topics_policy], POLICY_NAMES[after.topics_policy]];
    yield `${actor} changed the topics policy from **${from}** to **${to}**.`;
  }
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
