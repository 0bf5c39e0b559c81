/** Why somebody is notified of a message. */
export type NotificationReason =
  | "direct_message"
  | "mentioned"
  | "topic_wildcard_mentioned_in_followed_topic"
  | "stream_wildcard_mentioned_in_followed_topic"
  | "topic_wildcard_mentioned"
  | "stream_wildcard_mentioned"
  | "followed_topic_push_notify"
  | "stream_push_notify";

/** Whether a reason is that a message speaks to somebody. */
export function isMention(reason: NotificationReason): boolean {
  return reason !== "direct_message" && !reason.endsWith("_push_notify");
}

/** The settings of an account that decide what its devices are told of. */
export interface PushSettings {
  /** Direct messages and mentions. */
  readonly enable_offline_push_notifications: boolean;
  /** Also while somebody is there. */
  readonly enable_online_push_notifications: boolean;
  readonly enable_stream_push_notifications: boolean;
  readonly wildcard_mentions_notify: boolean;
  readonly enable_followed_topic_push_notifications: boolean;
  readonly enable_followed_topic_wildcard_mentions_notify: boolean;
}

/** How a message speaks to somebody. */
export interface Address {
  readonly isDirect: boolean;
  /** By his name, or that of a group that he belongs to. */
  readonly isMentioned: boolean;
  /** Everybody in the channel is spoken to. */
  readonly isStreamWildcard: boolean;
  /** Everybody who takes part in the topic is spoken to, and he does. */
  readonly isTopicWildcard: boolean;
}

/** What somebody wants of the place that a message is in. */
export interface Wishes {
  readonly settings: PushSettings;
  /** What he wants of the channel; null: as his settings have it. */
  readonly channelPush: boolean | null;
  readonly channelWildcard: boolean | null;
  readonly isFollowed: boolean;
  /** The topic itself, or its channel without an exception for the topic. */
  readonly isMuted: boolean;
}

/** What holds a notification back, whatever the reason for it. */
export interface Hindrances {
  readonly isOwn: boolean;
  readonly isBot: boolean;
  readonly isDeactivated: boolean;
  readonly isSenderMuted: boolean;
  readonly isRead: boolean;
  /** Whether he is there, doing something. */
  readonly isPresent: boolean;
}

/** All that decides whether one message notifies one person. */
export interface NotificationFacts {
  readonly address: Address;
  readonly wishes: Wishes;
  readonly hindrances: Hindrances;
}

/** Why a message notifies somebody; null: it does not. */
export function decide({ address, wishes, hindrances }: NotificationFacts): NotificationReason | null {
  return isHeldBack(wishes.settings, hindrances) ? null : findReason(address, wishes);
}

/** Why a message would notify somebody if nothing held it back; null: for no reason. */
export function findReason(address: Address, wishes: Wishes): NotificationReason | null {
  const { settings, isFollowed, isMuted } = wishes;
  const isOn = settings.enable_offline_push_notifications;
  if (address.isDirect) return isOn ? "direct_message" : null;
  // Whoever is named is told, even of what he muted.
  if (address.isMentioned && isOn) return "mentioned";
  if (isMuted) return null;
  const wildcard = isOn ? findWildcard(address, wishes) : null;
  if (wildcard !== null) return wildcard;
  if (isFollowed && settings.enable_followed_topic_push_notifications) return "followed_topic_push_notify";
  return wishes.channelPush ?? settings.enable_stream_push_notifications ? "stream_push_notify" : null;
}

function findWildcard(address: Address, wishes: Wishes): NotificationReason | null {
  const { settings, isFollowed, channelWildcard } = wishes;
  const { isTopicWildcard, isStreamWildcard } = address;
  if (isFollowed && settings.enable_followed_topic_wildcard_mentions_notify) {
    if (isTopicWildcard) return "topic_wildcard_mentioned_in_followed_topic";
    if (isStreamWildcard) return "stream_wildcard_mentioned_in_followed_topic";
  }
  if (!(channelWildcard ?? settings.wildcard_mentions_notify)) return null;
  if (isTopicWildcard) return "topic_wildcard_mentioned";
  return isStreamWildcard ? "stream_wildcard_mentioned" : null;
}

/** Whether nothing may be told, whatever the reason. */
export function isHeldBack(settings: PushSettings, hindrances: Hindrances): boolean {
  const { isOwn, isBot, isDeactivated, isSenderMuted, isRead, isPresent } = hindrances;
  if (isOwn || isBot || isDeactivated || isSenderMuted || isRead) return true;
  return isPresent && !settings.enable_online_push_notifications;
}
