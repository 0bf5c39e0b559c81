import type { ChatApp } from "@/lib/chat/app.ts";
import type { PermissionContext } from "@/lib/chat/permissions/model/permission_context.ts";
import { applyAutomaticPolicy, readAutomaticPolicies } from "@/lib/chat/topics/apply_automatic_policy.ts";
import { followMentionedTopic, listMentionFollowers } from "@/lib/chat/topics/follow_mentioned_topic.ts";
import {
  type AutomaticPolicySettings,
  PARTICIPATION,
  type VisibilityPolicy,
} from "@/lib/chat/topics/model.ts";
import type { UserRecord } from "@/lib/chat/users/model.ts";
import type { Tx } from "@/lib/kv/transact.ts";
import type { Mentions, MessageTarget, Recipient } from "../model.ts";

/** Settings by which a message changes policies for its topic. */
export interface TopicSettings {
  /** Settings of the sender; null for bots and for direct messages. */
  readonly ofSender: AutomaticPolicySettings | null;
  /** Ids of the mentioned users who follow topics where they are mentioned. */
  readonly followerIds: readonly number[];
}

/** Reads the settings of the sender and of mentioned users for the topic of a message. */
export async function readTopicSettings(
  app: ChatApp,
  realmId: number,
  { sender, target, mentions }: {
    sender: UserRecord;
    target: MessageTarget;
    mentions: Pick<Mentions, "user_ids">;
  },
): Promise<TopicSettings> {
  if (target.kind === "direct") return { ofSender: null, followerIds: [] };
  const [ofSender, followerIds] = await Promise.all([
    readAutomaticPolicies(app, realmId, sender),
    listMentionFollowers(app, realmId, { authorId: sender.id, userIds: mentions.user_ids }),
  ]);
  return { ofSender, followerIds };
}

/**
 * Changes the policies that users have for the topic of a message, in its commit: of mentioned users, and of
 * the sender. Returns the sender's new policy; null when it stays.
 */
export async function applyTopicPolicies(
  app: ChatApp,
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
  await followMentionedTopic(app, tx, { permissions, location, userIds: settings.followerIds });
  return await applyAutomaticPolicy(app, tx, {
    permissions,
    user: sender,
    location,
    participation: recipient.isNewTopic ? PARTICIPATION.start : PARTICIPATION.send,
    settings: settings.ofSender,
  });
}
