import type { ChatApp } from "../app.ts";
import { channelKeys } from "../channels/model/channel.ts";
import type { SubscriptionRecord } from "../channels/subscriptions/model.ts";
import { toVisibleMessage } from "../messages/access.ts";
import { intersectMentions, type MentionEdit, type MessageRecord } from "../messages/model.ts";
import { isMarkedRead } from "../messages/read_marks.ts";
import { isReadByMuting } from "../muted_users/model.ts";
import { readMutedUsers } from "../muted_users/store.ts";
import { isMember } from "../permissions/model/membership.ts";
import type { PermissionContext } from "../permissions/model/permission_context.ts";
import { isOffline, presenceKeys, type PresenceRecord } from "../presence/model.ts";
import { readTopicVisibility } from "../topics/user_topics.ts";
import { getSetting, settingsKeys, type SettingsRecord } from "../user_settings/model/settings.ts";
import { isBot, type UserRecord } from "../users/model.ts";
import { readUser } from "../users/store.ts";
import type { LookupCache } from "./lookup_cache.ts";
import {
  type Addressing,
  decideReason,
  findUnsuppressedReason,
  isMention,
  type NotificationReason,
  type Preferences,
  type PushSettings,
  sentKeys,
  type Suppression,
} from "./model.ts";
import { hasWrittenInTopic } from "./store.ts";

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

/** A message and one of its recipients. */
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
  const [record, visibility, subscription] = await Promise.all([
    app.reads.read<SettingsRecord>(settingsKeys.settings(realmId, userId)),
    readTopicVisibility(app, realmId, { message, userId }),
    channel_id === null
      ? null
      : app.reads.read<SubscriptionRecord>(channelKeys.subscription(realmId, userId, channel_id)),
  ]);
  const isOn = (name: keyof PushSettings) => (record?.values[name] ?? getSetting(name).defaultValue) === true;
  const settings: PushSettings = {
    enable_offline_push_notifications: isOn("enable_offline_push_notifications"),
    enable_online_push_notifications: isOn("enable_online_push_notifications"),
    enable_stream_push_notifications: isOn("enable_stream_push_notifications"),
    wildcard_mentions_notify: isOn("wildcard_mentions_notify"),
    enable_followed_topic_push_notifications: isOn("enable_followed_topic_push_notifications"),
    enable_followed_topic_wildcard_mentions_notify: isOn("enable_followed_topic_wildcard_mentions_notify"),
  };
  return {
    settings,
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
