import type { ChatApp } from "../app.ts";
import { channelKeys, type SubscriptionRecord } from "../channels/channel.ts";
import type { MessageRecord } from "./message.ts";
import { userTopicKeys, type UserTopicRecord, VISIBILITY } from "./user_topic.ts";

/** What an account wants of the topic that a message is in. */
export interface TopicVisibility {
  readonly isFollowed: boolean;
  /** The topic itself, or its channel without an exception for the topic. */
  readonly isMuted: boolean;
}

/** What is wanted where nothing was said, as in conversations. */
export const NOTHING_WANTED: TopicVisibility = { isFollowed: false, isMuted: false };

/** What an account wants of a message's topic. */
export async function readTopicVisibility(
  app: ChatApp,
  realmId: number,
  { message, userId }: { message: MessageRecord; userId: number },
): Promise<TopicVisibility> {
  const { channel_id: channelId, topic } = message;
  if (channelId === null) return NOTHING_WANTED;
  const [wanted, subscription] = await Promise.all([
    app.reads.read<UserTopicRecord>(userTopicKeys.topic(realmId, { userId, channelId, topic })),
    app.reads.read<SubscriptionRecord>(channelKeys.subscription(realmId, userId, channelId)),
  ]);
  const policy = wanted?.visibility_policy ?? VISIBILITY.none;
  const isMutedByChannel = subscription?.is_muted === true && policy === VISIBILITY.none;
  return {
    isFollowed: policy === VISIBILITY.followed,
    isMuted: policy === VISIBILITY.muted || isMutedByChannel,
  };
}
