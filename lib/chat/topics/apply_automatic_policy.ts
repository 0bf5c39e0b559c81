import type { Tx } from "@/lib/store/transact.ts";
import type { ChatApp } from "../app.ts";
import { channelKeys } from "../channels/model/channel.ts";
import type { SubscriptionRecord } from "../channels/subscriptions/model.ts";
import type { MessageRecord } from "../messages/model.ts";
import type { PermissionContext } from "../permissions/model/permission_context.ts";
import type { SettingValue } from "../user_settings/model/setting.ts";
import { readSettingValues } from "../user_settings/store.ts";
import { isBot, type UserRecord } from "../users/model.ts";
import { sendMutedTopicsEvent, sendUserTopicEvent } from "./events.ts";
import {
  type AutomaticPolicySettings,
  PARTICIPATION,
  type Participation,
  toAutomaticPolicy,
  type TopicLocation,
  userTopicKeys,
  type UserTopicRecord,
  VISIBILITY,
  type VisibilityPolicy,
} from "./model.ts";
import { putUserTopic } from "./store.ts";

/** Settings of a user that give automatic policies. */
export const AUTOMATIC_POLICY_SETTINGS = [
  "automatically_follow_topics_policy",
  "automatically_unmute_topics_in_muted_streams_policy",
] as const;

/** Reads a user's settings for automatic policies; null for bots, which have no policies. */
export async function readAutomaticPolicies(
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

/** A user who takes part in a topic of a channel. */
export interface TopicParticipation {
  readonly permissions: PermissionContext;
  readonly user: UserRecord;
  readonly location: TopicLocation;
  readonly participation: Participation;
  /** Null for bots. */
  readonly settings: AutomaticPolicySettings | null;
}

/**
 * Sets the policy that a user's settings give a topic in which they take part, in the commit of what they do.
 * Returns the new policy; null when it stays. A topic that is followed stays followed.
 */
export async function applyAutomaticPolicy(
  tx: Tx,
  { permissions, user, location, participation, settings }: TopicParticipation,
): Promise<VisibilityPolicy | null> {
  if (settings === null || Math.min(settings.follows, settings.unmutes) > participation) return null;
  const realmId = permissions.realm.id;
  const of = { userId: user.id, ...location };
  const subscription = await tx.peek<SubscriptionRecord>(
    channelKeys.subscription(realmId, user.id, location.channelId),
  );
  const isChannelMuted = subscription?.is_active === true && subscription.is_muted;
  const policy = toAutomaticPolicy(settings, { participation, isChannelMuted });
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
    message: Pick<MessageRecord, "channel_id" | "topic">;
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
