import { listValues } from "@/lib/store/reads.ts";
import type { Tx } from "@/lib/store/transact.ts";
import type { ChatApp } from "../app.ts";
import { channelKeys } from "../channels/model/channel.ts";
import type { SubscriptionRecord } from "../channels/subscriptions/model.ts";
import type { MessageRecord } from "../messages/model.ts";
import {
  userTopicKeys,
  type UserTopicRecord,
  type UserTopicRef,
  VISIBILITY,
  type VisibilityPolicy,
} from "./model.ts";

/** A user's visibility of the topic of a message. */
export interface TopicVisibility {
  readonly isFollowed: boolean;
  /** Whether the topic is muted, or its channel is and the topic is not unmuted. */
  readonly isMuted: boolean;
  /** Whether the topic itself is muted. */
  readonly isTopicMuted: boolean;
}

/** Visibility without a policy, and in conversations. */
export const DEFAULT_TOPIC_VISIBILITY: TopicVisibility = {
  isFollowed: false,
  isMuted: false,
  isTopicMuted: false,
};

/** Reads a user's visibility of the topic of a message. */
export async function readTopicVisibility(
  app: ChatApp,
  realmId: number,
  { message, userId }: { message: MessageRecord; userId: number },
): Promise<TopicVisibility> {
  const { channel_id: channelId, topic } = message;
  if (channelId === null) return DEFAULT_TOPIC_VISIBILITY;
  const [userTopic, subscription] = await Promise.all([
    app.reads.read<UserTopicRecord>(userTopicKeys.topic(realmId, { userId, channelId, topic })),
    app.reads.read<SubscriptionRecord>(channelKeys.subscription(realmId, userId, channelId)),
  ]);
  return toTopicVisibility(userTopic?.visibility_policy, subscription);
}

/** Returns the visibility of a topic of a channel for a user with a policy and a subscription, if there are any. */
export function toTopicVisibility(
  policy: VisibilityPolicy = VISIBILITY.none,
  subscription: SubscriptionRecord | null = null,
): TopicVisibility {
  const isMutedByChannel = subscription?.is_muted === true && policy === VISIBILITY.none;
  const isTopicMuted = policy === VISIBILITY.muted;
  return {
    isFollowed: policy === VISIBILITY.followed,
    isMuted: isTopicMuted || isMutedByChannel,
    isTopicMuted,
  };
}

/** Lists a user's topic policies by channel and topic. */
export async function listUserTopics(
  { store }: Pick<ChatApp, "store">,
  { realmId, userId }: { realmId: number; userId: number },
): Promise<UserTopicRecord[]> {
  return await listValues<UserTopicRecord>(store.kv, userTopicKeys.topics(realmId, userId));
}

/** Writes a user's policy for a topic and returns the record; the policy `none` deletes the stored one. */
export function putUserTopic(
  tx: Tx,
  realmId: number,
  { of, policy, now }: { of: UserTopicRef; policy: VisibilityPolicy; now: number },
): UserTopicRecord {
  const record: UserTopicRecord = {
    channel_id: of.channelId,
    topic_name: of.topic,
    last_updated: now,
    visibility_policy: policy,
  };
  const key = userTopicKeys.topic(realmId, of);
  const indexKey = [...userTopicKeys.ofTopic(realmId, of), of.userId];
  if (policy === VISIBILITY.none) {
    tx.delete(key);
    tx.delete(indexKey);
  } else {
    tx.set(key, record);
    tx.set(indexKey, policy);
  }
  // A move checks this number, so it misses no policy of the topic.
  tx.sum(userTopicKeys.changes(realmId, of), 1n);
  return record;
}
