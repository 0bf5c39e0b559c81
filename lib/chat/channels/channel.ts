import type { Key } from "@/lib/kv/key.ts";
import type { GroupSetting } from "../group_setting.ts";

/** Which topics a channel takes: as the organization has it, any, named ones alone, the empty one alone. */
export const TOPICS_POLICIES = [
  "inherit",
  "allow_empty_topic",
  "disable_empty_topic",
  "empty_topic_only",
] as const;
/** One of the four policies. */
export type TopicsPolicy = typeof TOPICS_POLICIES[number];

/** The longest name of a channel, in code points. */
export const MAX_CHANNEL_NAME = 60;
/** The longest description of a channel, in code points. */
export const MAX_CHANNEL_DESCRIPTION = 1024;
/** How the topic without a name is shown; sent as a topic, it means that one. */
export const EMPTY_TOPIC_NAME = "general chat";
/** The longest topic, in code points. */
export const MAX_TOPIC = 60;
/** Messages are kept for ever. */
export const UNLIMITED_RETENTION = -1;

/** One channel. */
export interface ChannelRecord {
  readonly id: number;
  readonly name: string;
  /** Without line breaks. */
  readonly description: string;
  readonly creator_id: number | null;
  /** Milliseconds since 1970 UTC. */
  readonly date_created: number;
  readonly invite_only: boolean;
  readonly is_web_public: boolean;
  readonly history_public_to_subscribers: boolean;
  /** Days; null is as the organization has it, UNLIMITED_RETENTION for ever. */
  readonly message_retention_days: number | null;
  readonly folder_id: number | null;
  readonly is_archived: boolean;
  readonly topics_policy: TopicsPolicy;
  /** Who may do what in the channel, by the permission's name. */
  readonly permissions: Readonly<Record<string, GroupSetting>>;
}

/** One account's subscription to a channel; a former one keeps its record, for what was received stays received. */
export interface SubscriptionRecord {
  readonly is_active: boolean;
  /** `#` and hexadecimal digits. */
  readonly color: string;
  readonly is_muted: boolean;
  readonly pin_to_top: boolean;
  /** Null: as the account's own settings have it. */
  readonly desktop_notifications: boolean | null;
  readonly audible_notifications: boolean | null;
  readonly push_notifications: boolean | null;
  readonly email_notifications: boolean | null;
  readonly wildcard_mentions_notify: boolean | null;
  /** When it held: from the first to the last message's id that was received, the last being null while it holds. */
  readonly periods: readonly Period[];
}

/** A time of being subscribed, by ids of messages. */
export interface Period {
  readonly from: number;
  readonly to: number | null;
}

/** Where channels and subscriptions lie in the store. */
export const channelKeys = {
  channels: (realmId: number): Key => [realmId, "channel"],
  channel: (realmId: number, id: number): Key => [realmId, "channel", id],
  byName: (realmId: number, name: string): Key => [realmId, "channel_by_name", foldChannelName(name)],
  /** The ids of the channels that new accounts are subscribed to, ascending, in one record. */
  defaults: (realmId: number): Key => [realmId, "default_channels"],
  subscriptions: (realmId: number, userId: number): Key => [realmId, "subscription", userId],
  subscription: (realmId: number, userId: number, channelId: number): Key => [
    realmId,
    "subscription",
    userId,
    channelId,
  ],
  subscribers: (realmId: number, channelId: number): Key => [realmId, "subscriber", channelId],
  /** There while the account is subscribed. */
  subscriber: (realmId: number, channelId: number, userId: number): Key => [
    realmId,
    "subscriber",
    channelId,
    userId,
  ],
  /** How often somebody was subscribed and unsubscribed, by channel: sums, which only ever grow. */
  subscriberCounts: (realmId: number): Key => [realmId, "subscriber_count"],
  joinerCount: (
    realmId: number,
    channelId: number,
  ): Key => [realmId, "subscriber_count", channelId, "joined"],
  leaverCount: (realmId: number, channelId: number): Key => [realmId, "subscriber_count", channelId, "left"],
  /** How many topics with a name have messages, kept by the messages: what `empty_topic_only` asks. */
  namedTopicCount: (realmId: number, channelId: number): Key => [realmId, "named_topic_count", channelId],
  /** The id of the last message, kept by the messages. */
  messageHead: ["seq", "message"],
};

/** A channel's name as it is compared: in any case. */
export function foldChannelName(name: string): string {
  return name.trim().toLowerCase();
}
