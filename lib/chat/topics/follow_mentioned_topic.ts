import type { Tx } from "@/lib/kv/transact.ts";
import type { ChatApp } from "../app.ts";
import { channelKeys } from "../channels/model/channel.ts";
import type { SubscriptionRecord } from "../channels/subscriptions/model.ts";
import { readMutedUsers } from "../muted_users/store.ts";
import type { PermissionContext } from "../permissions/model/permission_context.ts";
import { readSettingValues } from "../user_settings/store.ts";
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

/**
 * Returns those of the users whom a message mentions by name that follow topics where they are mentioned:
 * active humans with the setting who have not muted the author.
 */
export async function listMentionFollowers(
  app: ChatApp,
  realmId: number,
  { authorId, userIds }: { authorId: number; userIds: readonly number[] },
): Promise<readonly number[]> {
  const follows = await Promise.all(userIds.map(async (userId) => {
    const [user, settings, { muted }] = await Promise.all([
      readUser(app, realmId, userId),
      readSettingValues(app, { realmId, userId }, ["automatically_follow_topics_where_mentioned"]),
      readMutedUsers(app, realmId, userId),
    ]);
    return user !== null && user.is_active && !isBot(user) &&
      settings.automatically_follow_topics_where_mentioned === true &&
      !muted.some(([mutedId]) => mutedId === authorId);
  }));
  return userIds.filter((_, at) => follows[at]);
}

/**
 * Lets mentioned users follow the topic in the commit of the message: the first MAX_FOLLOWING_MENTIONED who are
 * subscribed, and have neither muted the topic nor follow it already.
 */
export async function followMentionedTopic(
  app: ChatApp,
  tx: Tx,
  { permissions, location, userIds }: {
    permissions: PermissionContext;
    location: TopicLocation;
    userIds: readonly number[];
  },
): Promise<void> {
  const realmId = permissions.realm.id;
  const isFollower = await Promise.all(userIds.map(async (userId) => {
    const [subscription, userTopic] = await Promise.all([
      app.reads.read<SubscriptionRecord>(channelKeys.subscription(realmId, userId, location.channelId)),
      app.reads.read<UserTopicRecord>(userTopicKeys.topic(realmId, { userId, ...location })),
    ]);
    return subscription?.is_active === true && canFollow(userTopic);
  }));
  const followers = userIds.filter((_, at) => isFollower[at]).slice(0, MAX_FOLLOWING_MENTIONED);
  for (const userId of followers) {
    const of = { userId, ...location };
    // Checked at the commit, so that a policy which the user sets meanwhile is kept.
    if (!canFollow(await tx.get<UserTopicRecord>(userTopicKeys.topic(realmId, of)))) continue;
    const record = putUserTopic(tx, realmId, { of, policy: VISIBILITY.followed, now: permissions.now });
    sendUserTopicEvent(tx, permissions, { userId, record });
  }
}

/** Returns whether a mention lets a user follow a topic; a topic that they muted stays muted. */
function canFollow(userTopic: UserTopicRecord | null): boolean {
  const policy = userTopic?.visibility_policy ?? VISIBILITY.none;
  return policy === VISIBILITY.none || policy === VISIBILITY.unmuted;
}
