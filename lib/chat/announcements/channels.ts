import { AppError } from "@/lib/core/errors.ts";
import type { ChatApp } from "../app.ts";
import { channelKeys, type ChannelRecord, UNLIMITED_RETENTION } from "../channels/channel.ts";
import { changeFlags } from "../messages/change_flags.ts";
import type { Caller } from "../users/caller.ts";
import { mention, quote, tell, tellChannel } from "./announce.ts";

/** The topic that new channels are announced in. */
const NEW_CHANNELS = "new channels";

/** A channel as it was and as it is. */
export interface ChangedChannel {
  readonly before: ChannelRecord;
  readonly after: ChannelRecord;
}

/** Tells of a new channel: in itself, and where the organization announces channels if that was asked for. */
export async function announceNewChannel(
  app: ChatApp,
  happening: Caller,
  { channel, isAnnounced }: { channel: ChannelRecord; isAnnounced: boolean },
): Promise<void> {
  const { realm, actingUser } = happening;
  const who = mention(actingUser);
  const text = `**${kindOf(channel)}** channel created by ${who}. **Description:**\n${
    quote(channel.description)
  }`;
  const told = await tellChannel(app, happening, { channel, text });
  if (told !== null) await markReadByMaker(app, happening, told);
  const place = realm.settings.new_stream_announcements_stream_id;
  const announcements = place === null || !isAnnounced
    ? null
    : await app.reads.read<ChannelRecord>(channelKeys.channel(realm.id, place));
  if (announcements === null || announcements.is_archived) return;
  const target = { kind: "channel", channel: announcements.id, topic: NEW_CHANNELS } as const;
  await tell(app, realm, { target, text: `${who} created a new channel #**${channel.name}**.` });
}

/** Who made a channel knows of it. */
async function markReadByMaker(app: ChatApp, { realm, actingUser }: Caller, id: number): Promise<void> {
  try {
    await changeFlags(app, { realm, user: actingUser }, { ids: [id], change: { flag: "read", op: "add" } });
  } catch (error) {
    // He may have made a private channel for others, whose messages he does not see.
    if (!(error instanceof AppError)) throw error;
  }
}

/** Tells a channel what of it was changed. */
export async function announceChanges(
  app: ChatApp,
  happening: Caller,
  { before, after }: ChangedChannel,
): Promise<void> {
  if (after.is_archived) return;
  const who = mention(happening.actingUser);
  const texts = CHANGES.flatMap((change) => change(before, after, who) ?? []);
  for (const text of texts) await tellChannel(app, happening, { channel: after, text });
}

/** A sentence on one kind of change, or null where there was none. */
type Change = (before: ChannelRecord, after: ChannelRecord, who: string) => string | null;

const CHANGES: readonly Change[] = [
  (before, after) =>
    before.is_archived && !after.is_archived ? `Channel #**${after.name}** has been unarchived.` : null,
  (before, after, who) =>
    before.name === after.name ? null : `${who} renamed channel **${before.name}** to **${after.name}**.`,
  (before, after, who) =>
    before.description === after.description
      ? null
      : `${who} changed the description for this channel.\n\n* **Old description:**\n${
        quote(before.description)
      }\n* **New description:**\n${quote(after.description)}`,
  (before, after, who) =>
    kindOf(before) === kindOf(after)
      ? null
      : `${who} changed the access permissions for this channel from **${kindOf(before)}** to **${
        kindOf(after)
      }**.`,
  (before, after, who) =>
    isSame(before, after, "can_send_message_group")
      ? null
      : `${who} changed the posting permissions for this channel.`,
  (before, after, who) =>
    before.message_retention_days === after.message_retention_days
      ? null
      : `${who} has changed the message retention period from **${daysOf(before)}** to **${daysOf(after)}**.`,
  (before, after, who) =>
    before.topics_policy === after.topics_policy
      ? null
      : `${who} changed the topics policy from **${policyOf(before)}** to **${policyOf(after)}**.`,
];

function isSame(before: ChannelRecord, after: ChannelRecord, setting: string): boolean {
  return JSON.stringify(before.permissions[setting]) === JSON.stringify(after.permissions[setting]);
}

/** What a channel is to those who are not in it. */
function kindOf({ invite_only, is_web_public, history_public_to_subscribers }: ChannelRecord): string {
  if (is_web_public) return "Web-public";
  if (!invite_only) return "Public";
  return history_public_to_subscribers ? "Private, shared history" : "Private, protected history";
}

function daysOf({ message_retention_days: days }: ChannelRecord): string {
  if (days === null) return "the organization's default";
  return days === UNLIMITED_RETENTION ? "forever" : `${days} days`;
}

const POLICY_NAMES = {
  inherit: "automatic",
  allow_empty_topic: "general chat topic allowed",
  disable_empty_topic: "no general chat topic",
  empty_topic_only: "only general chat topic allowed",
} as const;

function policyOf({ topics_policy }: ChannelRecord): string {
  return POLICY_NAMES[topics_policy];
}
