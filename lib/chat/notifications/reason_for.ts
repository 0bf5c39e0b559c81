import type { ChatApp } from "../app.ts";
import { channelKeys, type SubscriptionRecord } from "../channels/channel.ts";
import { look } from "../messages/access.ts";
import type { MessageRecord } from "../messages/message.ts";
import { isMarkedRead } from "../messages/read_state.ts";
import { readTopicVisibility } from "../messages/topic_visibility.ts";
import type { GroupWorld } from "../permissions/group_world.ts";
import { isMember } from "../permissions/membership.ts";
import { presenceKeys, type PresenceRecord } from "../presence/presence.ts";
import { isAway } from "../presence/rules.ts";
import { readUserSettings } from "../user_settings/store.ts";
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
import { takesPart } from "./receivers.ts";

/** Why a message notifies the account with this id, as things are now; null: it does not. */
export async function reasonFor(
  app: ChatApp,
  world: GroupWorld,
  { message, userId }: { message: MessageRecord; userId: number },
): Promise<NotificationReason | null> {
  const user = await readUser(app, world.realm.id, userId);
  if (user === null || !user.is_active || isBot(user) || user.id === message.sender_id) return null;
  const seen = await look(app, world, { message, user });
  if (seen?.isReceived !== true) return null;
  const [wishes, address] = await Promise.all([
    readWishes(app, world.realm.id, { message, user }),
    readAddress(app, world, { message, user }),
  ]);
  // Most messages give no reason: then nothing else has to be read.
  if (findReason(address, wishes) === null) return null;
  return decide({ address, wishes, hindrances: await readHindrances(app, world, { message, user }) });
}

interface Asked {
  readonly message: MessageRecord;
  readonly user: UserRecord;
}

async function readWishes(app: ChatApp, realmId: number, { message, user }: Asked): Promise<Wishes> {
  const { channel_id } = message;
  const [values, visibility, subscription] = await Promise.all([
    readUserSettings(app, realmId, user),
    readTopicVisibility(app, realmId, { message, userId: user.id }),
    channel_id === null
      ? null
      : app.reads.read<SubscriptionRecord>(channelKeys.subscription(realmId, user.id, channel_id)),
  ]);
  const settings: PushSettings = {
    enable_offline_push_notifications: values["enable_offline_push_notifications"] === true,
    enable_online_push_notifications: values["enable_online_push_notifications"] === true,
    enable_stream_push_notifications: values["enable_stream_push_notifications"] === true,
    wildcard_mentions_notify: values["wildcard_mentions_notify"] === true,
    enable_followed_topic_push_notifications: values["enable_followed_topic_push_notifications"] === true,
    enable_followed_topic_wildcard_mentions_notify:
      values["enable_followed_topic_wildcard_mentions_notify"] === true,
  };
  return {
    settings,
    channelPush: subscription?.push_notifications ?? null,
    channelWildcard: subscription?.wildcard_mentions_notify ?? null,
    ...visibility,
  };
}

async function readAddress(app: ChatApp, world: GroupWorld, { message, user }: Asked): Promise<Address> {
  const { user_ids, group_ids, is_stream_wildcard, is_topic_wildcard } = message.mentions;
  return {
    isDirect: message.channel_id === null,
    isMentioned: user_ids.includes(user.id) || group_ids.some((group) => isMember(world, group, user)),
    isStreamWildcard: is_stream_wildcard,
    isTopicWildcard: is_topic_wildcard &&
      await takesPart(app, world.realm.id, { message, userId: user.id }),
  };
}

async function readHindrances(
  app: ChatApp,
  { realm, now }: GroupWorld,
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
