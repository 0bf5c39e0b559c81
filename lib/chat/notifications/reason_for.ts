import type { ChatApp } from "../app.ts";
import { channelKeys, type SubscriptionRecord } from "../channels/channel.ts";
import { look } from "../messages/access.ts";
import type { MessageRecord } from "../messages/message.ts";
import { isMarkedRead } from "../messages/read_state.ts";
import { readTopicVisibility } from "../messages/topic_visibility.ts";
import type { PermissionContext } from "../permissions/group_world.ts";
import { isMember } from "../permissions/membership.ts";
import { presenceKeys, type PresenceRecord } from "../presence/presence.ts";
import { isAway } from "../presence/rules.ts";
import type { SettingsRecord } from "../user_settings/rules.ts";
import { settingsKeys } from "../user_settings/store.ts";
import { settingOf } from "../user_settings/table.ts";
import { isReadByMuting, readMutedUsers } from "../users/muted_user.ts";
import { readUser } from "../users/store.ts";
import { isBot, type UserRecord } from "../users/user.ts";
import {
  type Address,
  decide,
  findReason,
  type Hindrances,
  type NotificationReason,
  type PushSettings,
  type Wishes,
} from "./reason.ts";
import type { Lookups } from "./lookups.ts";
import { takesPart } from "./receivers.ts";

/** Why a message notifies the account with this id, as things are now; null: it does not. */
export async function reasonFor(
  app: ChatApp,
  permissions: PermissionContext,
  { message, userId, lookups }: { message: MessageRecord; userId: number; lookups: Lookups },
): Promise<NotificationReason | null> {
  const { id: realmId } = permissions.realm;
  if (userId === message.sender_id) return null;
  const wishes = await readWishes({ ...app, reads: lookups.reads }, realmId, { message, userId });
  // Most messages give no reason, whatever else is so: then nothing else has to be read.
  if (findReason(closestAddress(message, userId), wishes) === null) return null;
  const user = await readUser(app, realmId, userId);
  if (user === null || !user.is_active || isBot(user)) return null;
  const seen = await look(app, permissions, { message, user });
  if (seen?.isReceived !== true) return null;
  const [address, hindrances] = await Promise.all([
    readAddress(app, permissions, { message, user }),
    readHindrances(app, permissions, { message, user }),
  ]);
  return decide({ address, wishes, hindrances });
}

interface Asked {
  readonly message: MessageRecord;
  readonly user: UserRecord;
}

async function readWishes(
  app: ChatApp,
  realmId: number,
  { message, userId }: { message: MessageRecord; userId: number },
): Promise<Wishes> {
  const { channel_id } = message;
  const [record, visibility, subscription] = await Promise.all([
    app.reads.read<SettingsRecord>(settingsKeys.settings(realmId, userId)),
    readTopicVisibility(app, realmId, { message, userId }),
    channel_id === null
      ? null
      : app.reads.read<SubscriptionRecord>(channelKeys.subscription(realmId, userId, channel_id)),
  ]);
  const isOn = (name: keyof PushSettings) => (record?.values[name] ?? settingOf(name).byDefault) === true;
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

/** How a message speaks to somebody at most: if he were in every group and had taken part in everything. */
function closestAddress({ channel_id, mentions }: MessageRecord, userId: number): Address {
  return {
    isDirect: channel_id === null,
    isMentioned: mentions.user_ids.includes(userId) || mentions.group_ids.length > 0,
    isStreamWildcard: mentions.is_stream_wildcard,
    isTopicWildcard: mentions.is_topic_wildcard,
  };
}

async function readAddress(
  app: ChatApp,
  permissions: PermissionContext,
  { message, user }: Asked,
): Promise<Address> {
  const { user_ids, group_ids, is_stream_wildcard, is_topic_wildcard } = message.mentions;
  return {
    isDirect: message.channel_id === null,
    isMentioned: user_ids.includes(user.id) || group_ids.some((group) => isMember(permissions, group, user)),
    isStreamWildcard: is_stream_wildcard,
    isTopicWildcard: is_topic_wildcard &&
      await takesPart(app, permissions.realm.id, { message, userId: user.id }),
  };
}

async function readHindrances(
  app: ChatApp,
  { realm, now }: PermissionContext,
  { message, user }: Asked,
): Promise<Hindrances> {
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
    isPresent: lastActive !== null && !isAway(lastActive, now),
  };
}
