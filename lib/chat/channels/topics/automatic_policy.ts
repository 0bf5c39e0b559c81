import type { Tx } from "@/lib/store/transact.ts";
import type { ChatApp, MessageTarget } from "@/lib/chat/organization/app.ts";
import { channelKeys } from "@/lib/chat/organization/channels/model/channel.ts";
import type { SubscriptionRecord } from "../subscriptions/model.ts";
import type { PermissionContext } from "@/lib/chat/organization/permissions/model/membership.ts";
import type { SettingValue } from "@/lib/chat/people/user_settings/model/registry.ts";
import { readSetting, readSettingValues } from "@/lib/chat/people/user_settings/store.ts";
import { isBot, type UserRecord } from "@/lib/chat/organization/users/model.ts";
import { readMutedUsers } from "@/lib/chat/people/muted_users.ts";
import { readUser } from "@/lib/chat/organization/users/store.ts";
import { readChannelId } from "../store.ts";
import { putUserTopic, sendMutedTopicsEvent, sendUserTopicEvent } from "./user_topics.ts";
import {
  type AutomaticPolicySettings,
  PARTICIPATION,
  type Participation,
  type TopicLocation,
  userTopicKeys,
  type UserTopicRecord,
  VISIBILITY,
  type VisibilityPolicy,
} from "./model.ts";

export const AUTOMATIC_POLICY_SETTINGS = [
  "automatically_follow_topics_policy",
  "automatically_unmute_topics_in_muted_streams_policy",
] as const;

/** Reads a user's settings for automatic policies; null for bots, which have no policies. */
async function readAutomaticPolicies(
  app: Pick<ChatApp, "reads">,
  realmId: number,
  user: UserRecord,
): Promise<AutomaticPolicySettings | null> {
  if (isBot(user)) return null;
  const of = { realmId, userId: user.id };
  return toAutomaticPolicySettings(user, await readSettingValues(app, of, AUTOMATIC_POLICY_SETTINGS));
}

/** Returns a user's settings for automatic policies among the values of settings; null for bots. */
export function toAutomaticPolicySettings(
  user: UserRecord,
  values: Readonly<Partial<Record<typeof AUTOMATIC_POLICY_SETTINGS[number], SettingValue>>>,
): AutomaticPolicySettings | null {
  if (isBot(user)) return null;
  return {
    follows: Number(values.automatically_follow_topics_policy),
    unmutes: Number(values.automatically_unmute_topics_in_muted_streams_policy),
  };
}

/**
 * Sets the policy that a user's settings give a topic in which they take part, in the commit of what they do.
 * Returns the new policy; null when it stays. A topic that is followed stays followed.
 */
async function applyAutomaticPolicy(
  tx: Tx,
  { permissions, user, location, participation, settings }: {
    permissions: PermissionContext;
    user: UserRecord;
    location: TopicLocation;
    participation: Participation;
    settings: AutomaticPolicySettings | null;
  },
): Promise<VisibilityPolicy | null> {
  if (settings === null || Math.min(settings.follows, settings.unmutes) > participation) return null;
  const realmId = permissions.realm.id;
  const of = { userId: user.id, ...location };
  const subscription = await tx.peek<SubscriptionRecord>(
    channelKeys.subscription(realmId, user.id, location.channelId),
  );
  const isChannelMuted = subscription?.is_active === true && subscription.is_muted;
  const unmuted = isChannelMuted && settings.unmutes <= participation ? VISIBILITY.unmuted : null;
  const policy = settings.follows <= participation ? VISIBILITY.followed : unmuted;
  const key = userTopicKeys.topic(realmId, of);
  // Most often nothing changes: then the commit checks nothing.
  if (policy === null || !isRaised(await tx.peek<UserTopicRecord>(key), policy)) return null;
  const before = await tx.get<UserTopicRecord>(key);
  if (!isRaised(before, policy)) return null;
  const record = putUserTopic(tx, realmId, { of, policy, now: permissions.now });
  if (before?.visibility_policy === VISIBILITY.muted) sendMutedTopicsEvent(tx, permissions, [user.id]);
  sendUserTopicEvent(tx, permissions, { userIds: [user.id], record });
  return policy;
}

/** Sets the policy that a user's settings give the topic of a message to which they react or in which they vote. */
export async function applyParticipationPolicy(
  app: ChatApp,
  tx: Tx,
  { permissions, user, message: { channel_id: channelId, topic } }: {
    permissions: PermissionContext;
    user: UserRecord;
    message: { channel_id: number | null; topic: string };
  },
): Promise<void> {
  if (channelId === null) return;
  await applyAutomaticPolicy(tx, {
    permissions,
    user,
    location: { channelId, topic },
    participation: PARTICIPATION.participate,
    settings: await readAutomaticPolicies(app, permissions.realm.id, user),
  });
}

function isRaised(before: UserTopicRecord | null, policy: VisibilityPolicy): boolean {
  const current = before?.visibility_policy ?? VISIBILITY.none;
  return current !== policy && current !== VISIBILITY.followed;
}

/**
 * Maximum number of mentioned users whom one message lets follow its topic: each takes a check of the commit,
 * which has 100, of which up to 50 are for files.
 */
export const MAX_FOLLOWING_MENTIONED = 30;

/**
 * Returns the first MAX_FOLLOWING_MENTIONED of the mentioned users whom the message lets follow its topic:
 * active humans who are subscribed, have the setting, have not muted the author, and have neither muted the
 * topic nor follow it already. Read before the commit, which is shared with other messages.
 */
async function listMentionFollowers(
  app: ChatApp,
  realmId: number,
  { location, authorId, userIds }: { location: TopicLocation; authorId: number; userIds: readonly number[] },
): Promise<readonly number[]> {
  const follows = await Promise.all(userIds.map(async (userId) => {
    const [user, isFollower, { muted }, subscription, userTopic] = await Promise.all([
      readUser(app, realmId, userId),
      readSetting(app, { realmId, userId }, "automatically_follow_topics_where_mentioned"),
      readMutedUsers(app, realmId, userId),
      app.reads.read<SubscriptionRecord>(channelKeys.subscription(realmId, userId, location.channelId)),
      app.reads.read<UserTopicRecord>(userTopicKeys.topic(realmId, { userId, ...location })),
    ]);
    return user !== null && user.is_active && !isBot(user) && subscription?.is_active === true &&
      isFollower === true && canFollow(userTopic) &&
      !muted.some(([mutedId]) => mutedId === authorId);
  }));
  return userIds.filter((_, at) => follows[at]).slice(0, MAX_FOLLOWING_MENTIONED);
}

/** Lets users follow the topic of a message in its commit; policies that they set meanwhile are kept. */
async function followMentionedTopic(
  tx: Tx,
  permissions: PermissionContext,
  { location, userIds }: { location: TopicLocation; userIds: readonly number[] },
): Promise<void> {
  const realmId = permissions.realm.id;
  for (const userId of userIds) {
    const of = { userId, ...location };
    if (!canFollow(await tx.get<UserTopicRecord>(userTopicKeys.topic(realmId, of)))) continue;
    const record = putUserTopic(tx, realmId, { of, policy: VISIBILITY.followed, now: permissions.now });
    sendUserTopicEvent(tx, permissions, { userIds: [userId], record });
  }
}

/** Returns whether a mention lets a user follow a topic; a topic that they muted stays muted. */
function canFollow(userTopic: UserTopicRecord | null): boolean {
  const policy = userTopic?.visibility_policy ?? VISIBILITY.none;
  return policy === VISIBILITY.none || policy === VISIBILITY.unmuted;
}

/** Settings by which a message changes policies for its topic. */
interface TopicSettings {
  /** Settings of the sender; null for bots and for direct messages. */
  readonly ofSender: AutomaticPolicySettings | null;
  /** Channel for which the followers were read; null without any. */
  readonly channelId: number | null;
  /** Ids of the mentioned users whom the message lets follow its topic. */
  readonly followerIds: readonly number[];
}

interface MentioningMessage {
  readonly sender: UserRecord;
  readonly target: MessageTarget;
  readonly mentions: { readonly user_ids: readonly number[] };
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
    recipient:
      | { kind: "channel"; channel: { id: number }; topic: string; isNewTopic: boolean }
      | { kind: "direct" };
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
