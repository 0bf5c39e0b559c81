import { mapValues } from "es-toolkit/object/mapValues";
import { readSettingValues } from "@/lib/chat/people/user_settings/store.ts";
import { devices, isReachable } from "@/lib/chat/devices/devices.ts";
import type { ChatApp } from "@/lib/chat/organization/app.ts";
import { channelKeys } from "@/lib/chat/organization/channels/model/channel.ts";
import { ownerOf } from "@/lib/chat/organization/collection.ts";
import type { SubscriptionRecord } from "@/lib/chat/channels/subscriptions/model.ts";
import { toVisibleMessage } from "@/lib/chat/messages/access.ts";
import {
  intersectMentions,
  type MentionEdit,
  messageKeys,
  type MessageRecord,
} from "@/lib/chat/messages/model.ts";
import { isMarkedRead } from "@/lib/chat/messages/read_marks.ts";
import { isReadByMuting, readMutedUsers } from "@/lib/chat/people/muted_users.ts";
import { isMember, type PermissionContext } from "@/lib/chat/organization/permissions/model/membership.ts";
import { isOffline, presenceKeys, type PresenceRecord } from "@/lib/chat/people/presence/model.ts";
import { readTopicVisibility } from "@/lib/chat/channels/topics/user_topics.ts";
import { isBot, type UserRecord } from "@/lib/chat/organization/users/model.ts";
import { readUser } from "@/lib/chat/organization/users/store.ts";
import { listSubscriberIds } from "@/lib/chat/channels/subscriptions/store.ts";
import type { BatchedReads } from "@/lib/store/reads.ts";
import { type Key, keyName, toValue } from "@/lib/store/key.ts";
import {
  type Addressing,
  decideReason,
  findUnsuppressedReason,
  isMention,
  type NotificationReason,
  type Preferences,
  PUSH_SETTINGS,
  sentKeys,
  type Suppression,
} from "./model.ts";

async function listReachableUserIds(
  { store }: Pick<ChatApp, "store">,
  realmId: number,
): Promise<ReadonlySet<number>> {
  const userIds = new Set<number>();
  for await (const { userId, record } of devices.listAll(store.kv, realmId)) {
    if (isReachable(record)) userIds.add(userId);
  }
  return userIds;
}

/** Returns the ids of a user's reachable devices, ascending. */
export async function listReachableDeviceIds(
  app: Pick<ChatApp, "store">,
  realmId: number,
  userId: number,
): Promise<number[]> {
  return (await devices.list(app, ownerOf(realmId, userId))).filter(isReachable).map(({ id }) => id);
}

/** Maximum number of steps when looking for a user's earlier message in a topic. */
const MAX_STEPS = 200;

/** Returns whether a user wrote to a message's topic before, as far as found within MAX_STEPS. */
async function hasWrittenInTopic(
  app: ChatApp,
  realmId: number,
  { message, userId }: { message: MessageRecord; userId: number },
): Promise<boolean> {
  if (message.channel_id === null) return false;
  const own = messageKeys.sentBy(realmId, userId);
  const topic = messageKeys.ofTopic(realmId, message.channel_id, message.topic);
  // Both indexes are walked down in turn, each from the other's position, which skips long stretches.
  let below = message.id;
  for (let step = 0; step < MAX_STEPS; step++) {
    const [lastOwn, lastInTopic] = await Promise.all([
      findLastBelow(app, own, below),
      findLastBelow(app, topic, below),
    ]);
    if (lastOwn === null || lastInTopic === null) return false;
    if (lastOwn === lastInTopic) return true;
    below = Math.min(lastOwn, lastInTopic) + 1;
  }
  return false;
}

async function findLastBelow({ store }: ChatApp, prefix: Key, id: number): Promise<number | null> {
  const listing = store.kv.list({ prefix: [...prefix], end: [...prefix, id] }, { limit: 1, reverse: true });
  for await (const { key } of listing) return Number(key.at(-1));
  return null;
}

/** Cache of reads shared by messages that are processed together. Values may be as old as the cache. */
export interface LookupCache {
  /** Returns the ids of a channel's subscribers who have a reachable device, ascending. */
  subscribersWithDevices(realmId: number, channelId: number): Promise<readonly number[]>;
  /** Reads each key once. */
  readonly reads: BatchedReads;
}

/** Maximum number of cached reads. Further keys are read each time. */
const MAX_READS = 100_000;

/** Creates a cache, to be used for a few seconds of work. */
export function createLookupCache(app: ChatApp): LookupCache {
  const reachableUsers = new Map<number, Promise<ReadonlySet<number>>>();
  const channels = new Map<string, Promise<readonly number[]>>();
  const values = new Map<string, Promise<unknown>>();
  const readReachableUsers = (realmId: number) =>
    getOrStart(reachableUsers, realmId, () => listReachableUserIds(app, realmId));
  const readSubscribers = async (realmId: number, channelId: number) => {
    const reachable = await readReachableUsers(realmId);
    return reachable.size === 0
      ? []
      : (await listSubscriberIds(app, realmId, channelId)).filter((id) => reachable.has(id));
  };
  return {
    subscribersWithDevices: (realmId, channelId) =>
      getOrStart(channels, `${realmId} ${channelId}`, () => readSubscribers(realmId, channelId)),
    reads: {
      async read<T>(key: Key): Promise<T | null> {
        const name = keyName(key);
        if (values.size >= MAX_READS && !values.has(name)) return await app.reads.read<T>(key);
        return toValue<T | null>(await getOrStart(values, name, () => app.reads.read(key)));
      },
    },
  };
}

function getOrStart<K, V>(cache: Map<K, Promise<V>>, name: K, read: () => Promise<V>): Promise<V> {
  const value = cache.get(name) ?? read();
  cache.set(name, value);
  return value;
}

/** Returns the reason for which a message currently notifies a user; null if it does not. */
export async function readNotificationReason(
  app: ChatApp,
  permissions: PermissionContext,
  { message, userId, lookups }: { message: MessageRecord; userId: number; lookups: LookupCache },
): Promise<NotificationReason | null> {
  const { id: realmId } = permissions.realm;
  if (userId === message.sender_id) return null;
  const preferences = await readPreferences({ ...app, reads: lookups.reads }, realmId, { message, userId });
  // Most messages notify no one for any reason, and then nothing else has to be read.
  if (findUnsuppressedReason(toBroadestAddressing(message, userId), preferences) === null) return null;
  const user = await readUser(app, realmId, userId);
  if (user === null || !user.is_active || isBot(user)) return null;
  const visible = await toVisibleMessage(app, permissions, { message, user });
  if (visible?.isReceived !== true) return null;
  const [addressing, suppression] = await Promise.all([
    readAddressing(app, permissions, { message, user }),
    readSuppression(app, permissions, { message, user }),
  ]);
  return decideReason({ addressing, preferences, suppression });
}

/**
 * Returns the reason for which an edit currently notifies a user; null if it does not add a mention of them,
 * the mention is removed by now, another reason applied before the edit, or they were already notified of the
 * message.
 */
export async function readEditNotificationReason(
  app: ChatApp,
  permissions: PermissionContext,
  { message, edit, userId, lookups }: {
    message: MessageRecord;
    edit: MentionEdit;
    userId: number;
    lookups: LookupCache;
  },
): Promise<NotificationReason | null> {
  const reasonWith = (mentions: MessageRecord["mentions"]) =>
    readNotificationReason(app, permissions, { message: { ...message, mentions }, userId, lookups });
  const reason = await reasonWith(intersectMentions(edit.added, message.mentions));
  if (reason === null || !isMention(reason) || await reasonWith(edit.before) !== null) return null;
  const sentIds = await app.reads.read<readonly number[]>(sentKeys.sent(permissions.realm.id, userId));
  return sentIds?.includes(message.id) === true ? null : reason;
}

interface MessageRecipient {
  readonly message: MessageRecord;
  readonly user: UserRecord;
}

async function readPreferences(
  app: ChatApp,
  realmId: number,
  { message, userId }: { message: MessageRecord; userId: number },
): Promise<Preferences> {
  const { channel_id } = message;
  const [settings, visibility, subscription] = await Promise.all([
    readSettingValues(app, { realmId, userId }, PUSH_SETTINGS),
    readTopicVisibility(app, realmId, { message, userId }),
    channel_id === null
      ? null
      : app.reads.read<SubscriptionRecord>(channelKeys.subscription(realmId, userId, channel_id)),
  ]);
  return {
    settings: mapValues(settings, (value) => value === true),
    channelPush: subscription?.push_notifications ?? null,
    channelWildcard: subscription?.wildcard_mentions_notify ?? null,
    ...visibility,
  };
}

/** Returns the addressing of a message if the user were in every group and a participant of every topic. */
function toBroadestAddressing({ channel_id, mentions }: MessageRecord, userId: number): Addressing {
  return {
    isDirect: channel_id === null,
    isMentioned: mentions.user_ids.includes(userId) || mentions.group_ids.length > 0,
    isStreamWildcard: mentions.is_stream_wildcard,
    isTopicWildcard: mentions.is_topic_wildcard,
  };
}

async function readAddressing(
  app: ChatApp,
  permissions: PermissionContext,
  { message, user }: MessageRecipient,
): Promise<Addressing> {
  const { user_ids, group_ids, is_stream_wildcard, is_topic_wildcard } = message.mentions;
  return {
    isDirect: message.channel_id === null,
    isMentioned: user_ids.includes(user.id) || group_ids.some((group) => isMember(permissions, group, user)),
    isStreamWildcard: is_stream_wildcard,
    isTopicWildcard: is_topic_wildcard &&
      await hasWrittenInTopic(app, permissions.realm.id, { message, userId: user.id }),
  };
}

async function readSuppression(
  app: ChatApp,
  { realm, now }: PermissionContext,
  { message, user }: MessageRecipient,
): Promise<Suppression> {
  const [muted, isRead, presence] = await Promise.all([
    readMutedUsers(app, realm.id, user.id),
    isMarkedRead(app, realm.id, { message, userId: user.id }),
    app.reads.read<PresenceRecord>(presenceKeys.presence(realm.id, user.id)),
  ]);
  const lastActive = presence?.last_active ?? null;
  return {
    isOwn: message.sender_id === user.id,
    isBot: isBot(user),
    isDeactivated: !user.is_active,
    isSenderMuted: isReadByMuting(muted, message),
    isRead,
    isPresent: lastActive !== null && !isOffline(lastActive, now),
  };
}
