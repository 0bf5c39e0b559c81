import type { Tx } from "@/lib/store/transact.ts";
import type { ChatApp } from "../app.ts";
import { channelKeys } from "../channels/model/channel.ts";
import type { SubscriptionRecord } from "../channels/subscriptions/model.ts";
import { readMutedUsers } from "../muted_users.ts";
import type { PermissionContext } from "../permissions/model/membership.ts";
import { readSetting } from "../user_settings/store.ts";
import { isBot } from "../users/model.ts";
import { readUser } from "../users/store.ts";
import { sendUserTopicEvent } from "./events.ts";
import { type TopicLocation, userTopicKeys, type UserTopicRecord, VISIBILITY } from "./model.ts";
import { putUserTopic } from "./store.ts";

/**
 * Maximum number of mentioned users whom one message lets follow its topic: each takes a check of the commit,
 * which has 100, of which up to 50 are for files.
 */
export const MAX_FOLLOWING_MENTIONED = 30;

/** A message to a topic, and the users whom it mentions by name. */
interface MentioningMessage {
  readonly location: TopicLocation;
  readonly authorId: number;
  readonly userIds: readonly number[];
}

/**
 * Returns the first MAX_FOLLOWING_MENTIONED of the mentioned users whom the message lets follow its topic:
 * active humans who are subscribed, have the setting, have not muted the author, and have neither muted the
 * topic nor follow it already. Read before the commit, which is shared with other messages.
 */
export async function listMentionFollowers(
  app: ChatApp,
  realmId: number,
  { location, authorId, userIds }: MentioningMessage,
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
export async function followMentionedTopic(
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
