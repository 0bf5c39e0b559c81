import type { ChatApp } from "@/lib/chat/app.ts";
import { readChannelId } from "@/lib/chat/channels/store.ts";
import type { PermissionContext } from "@/lib/chat/permissions/model/permission_context.ts";
import { applyAutomaticPolicy, readAutomaticPolicies } from "@/lib/chat/topics/apply_automatic_policy.ts";
import { followMentionedTopic, listMentionFollowers } from "@/lib/chat/topics/follow_mentioned_topic.ts";
import {
  type AutomaticPolicySettings,
  PARTICIPATION,
  type VisibilityPolicy,
} from "@/lib/chat/topics/model.ts";
import type { UserRecord } from "@/lib/chat/users/model.ts";
import type { Tx } from "@/lib/store/transact.ts";
import type { Mentions, MessageTarget, Recipient } from "../model.ts";

/** Settings by which a message changes policies for its topic. */
export interface TopicSettings {
  /** Settings of the sender; null for bots and for direct messages. */
  readonly ofSender: AutomaticPolicySettings | null;
  /** Channel for which the followers were read; null without any. */
  readonly channelId: number | null;
  /** Ids of the mentioned users whom the message lets follow its topic. */
  readonly followerIds: readonly number[];
}

/** A message to send, and the users whom it mentions. */
interface MentioningMessage {
  readonly sender: UserRecord;
  readonly target: MessageTarget;
  readonly mentions: Pick<Mentions, "user_ids">;
  readonly policySettings?: AutomaticPolicySettings | null;
}

/** Reads the settings of the sender and of mentioned users for the topic of a message. */
export async function readTopicSettings(
  app: ChatApp,
  realmId: number,
  message: MentioningMessage,
): Promise<TopicSettings> {
  const { policySettings, sender, target } = message;
  const readOwn = () => target.kind === "direct" ? null : readAutomaticPolicies(app, realmId, sender);
  const [ofSender, followers] = await Promise.all([
    policySettings === undefined ? readOwn() : policySettings,
    readFollowers(app, realmId, message),
  ]);
  return { ofSender, ...followers };
}

async function readFollowers(
  app: ChatApp,
  realmId: number,
  { sender, target, mentions: { user_ids: userIds } }: MentioningMessage,
): Promise<Omit<TopicSettings, "ofSender">> {
  const none = { channelId: null, followerIds: [] };
  if (target.kind === "direct" || userIds.length === 0) return none;
  const { channel, topic } = target;
  const channelId = typeof channel === "number"
    ? channel
    : await readChannelId({ get: app.reads.read }, realmId, channel);
  if (channelId === null) return none;
  const message = { location: { channelId, topic }, authorId: sender.id, userIds };
  return { channelId, followerIds: await listMentionFollowers(app, realmId, message) };
}

/**
 * Changes the policies that users have for the topic of a message, in its commit: of mentioned users, and of
 * the sender. Returns the sender's new policy; null when it stays.
 */
export async function applyTopicPolicies(
  tx: Tx,
  { permissions, sender, recipient, settings }: {
    permissions: PermissionContext;
    sender: UserRecord;
    recipient: Recipient;
    settings: TopicSettings;
  },
): Promise<VisibilityPolicy | null> {
  if (recipient.kind === "direct") return null;
  const location = { channelId: recipient.channel.id, topic: recipient.topic };
  // Another channel may have the name by now.
  if (settings.channelId === location.channelId) {
    await followMentionedTopic(tx, permissions, { location, userIds: settings.followerIds });
  }
  return await applyAutomaticPolicy(tx, {
    permissions,
    user: sender,
    location,
    participation: recipient.isNewTopic ? PARTICIPATION.start : PARTICIPATION.send,
    settings: settings.ofSender,
  });
}
