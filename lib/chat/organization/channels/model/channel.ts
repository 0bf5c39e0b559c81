import type { GroupSetting } from "@/lib/chat/organization/permissions/model/group_setting.ts";
import { AppError } from "@/lib/core/errors.ts";
import { requireName } from "@/lib/core/names.ts";
import { codePointLength } from "@/lib/core/text.ts";
import type { Key } from "@/lib/store/key.ts";

/** Policies on named topics and the empty topic; `inherit` follows the organization's setting. */
export const TOPICS_POLICIES = [
  "inherit",
  "allow_empty_topic",
  "disable_empty_topic",
  "empty_topic_only",
] as const;
export type TopicsPolicy = typeof TOPICS_POLICIES[number];

/** Maximum length of a channel's name, in code points. */
export const MAX_CHANNEL_NAME = 60;
/** Maximum length of a channel's description, in code points. */
export const MAX_CHANNEL_DESCRIPTION = 1024;
/** Display name of the topic without a name; as a parameter, it names that topic. */
export const EMPTY_TOPIC_NAME = "general chat";
/** Maximum length of a topic, in code points. */
export const MAX_TOPIC = 60;
/** Maximum number of channels that new users are subscribed to. */
export const MAX_DEFAULT_CHANNELS = 500;
/** Value of `message_retention_days` that keeps messages forever. */
export const UNLIMITED_RETENTION = -1;

/** Control characters, unpaired surrogates and noncharacters. */
const INVALID_CHARACTER = /[\p{Cc}\p{Cs}\p{Noncharacter_Code_Point}]/u;

export interface ChannelRecord {
  readonly id: number;
  readonly name: string;
  /** Without line breaks. */
  readonly description: string;
  /** HTML of the description; missing in channels of versions up to 0.5, until the description changes. */
  readonly rendered_description?: string;
  readonly creator_id: number | null;
  /** Milliseconds since 1970 UTC. */
  readonly date_created: number;
  readonly invite_only: boolean;
  readonly is_web_public: boolean;
  readonly history_public_to_subscribers: boolean;
  /** Days, or UNLIMITED_RETENTION; null follows the organization's setting. */
  readonly message_retention_days: number | null;
  readonly folder_id: number | null;
  readonly is_archived: boolean;
  readonly topics_policy: TopicsPolicy;
  readonly permissions: Readonly<Record<string, GroupSetting>>;
}

export interface ChangedChannel {
  readonly before: ChannelRecord;
  readonly after: ChannelRecord;
}

export const channelKeys = {
  channels: (realmId: number): Key => [realmId, "channel"],
  channel: (realmId: number, id: number): Key => [realmId, "channel", id],
  /** The ids of the default channels, ascending, in one record. */
  defaults: (realmId: number): Key => [realmId, "default_channels"],
  subscriptions: (realmId: number, userId: number): Key => [realmId, "subscription", userId],
  subscription: (realmId: number, userId: number, channelId: number): Key => [
    realmId,
    "subscription",
    userId,
    channelId,
  ],
  subscribers: (realmId: number, channelId: number): Key => [realmId, "subscriber", channelId],
  /** Exists while the user is subscribed. */
  subscriber: (realmId: number, channelId: number, userId: number): Key => [
    realmId,
    "subscriber",
    channelId,
    userId,
  ],
  /** Numbers of subscribe and unsubscribe actions by channel: sums, which only grow. */
  subscriberCounts: (realmId: number): Key => [realmId, "subscriber_count"],
  joinerCount: (
    realmId: number,
    channelId: number,
  ): Key => [realmId, "subscriber_count", channelId, "joined"],
  leaverCount: (realmId: number, channelId: number): Key => [realmId, "subscriber_count", channelId, "left"],
  /** Number of named topics that have messages, written by the messages; checked for `empty_topic_only`. */
  namedTopicCount: (realmId: number, channelId: number): Key => [realmId, "named_topic_count", channelId],
  /** The id of the last message, written by the messages. */
  messageHead: ["seq", "message"],
};

/** Permissions to delete messages; setting them requires a permission of the organization. */
export const DELETE_PERMISSIONS = ["can_delete_any_message_group", "can_delete_own_message_group"] as const;

/** Permissions that include content access to a private channel; setting them requires content access. */
export const READ_PERMISSIONS = ["can_add_subscribers_group", "can_subscribe_group"] as const;

/** Returns a channel's name in the form that names are compared in: trimmed, in lower case. */
export function foldChannelName(name: string): string {
  return name.trim().toLowerCase();
}

/**
 * Rejects an invalid channel name; the name is already trimmed.
 * @throws AppError BAD_REQUEST.
 */
export function requireChannelName(name: string): void {
  if (name === "") throw new AppError("BAD_REQUEST", "Channel name can't be empty.", { field: "name" });
  if (codePointLength(name) > MAX_CHANNEL_NAME) {
    throw new AppError("BAD_REQUEST", `Channel name too long (limit: ${MAX_CHANNEL_NAME} characters).`, {
      field: "name",
    });
  }
  const at = name.search(INVALID_CHARACTER);
  if (at < 0) return;
  const position = codePointLength(name.slice(0, at)) + 1;
  throw new AppError("BAD_REQUEST", `Invalid character in channel name, at position ${position}.`, {
    field: "name",
  });
}

/**
 * Rejects an invalid name for a new channel or a rename; the name is already trimmed. Channels that exist keep
 * names of earlier versions, which follow only `requireChannelName`.
 * @throws AppError BAD_REQUEST.
 */
export function requireNewChannelName(name: string): void {
  requireChannelName(name);
  requireName(name, "channel name", { field: "name" });
}

/** Characters that embed text in another direction or override it. */
const DIRECTION_OVERRIDE = /[\u202a-\u202e]/;

/**
 * Returns a channel's description as stored: line breaks become spaces.
 * @throws AppError BAD_REQUEST for a character that overrides the direction of text.
 */
export function normalizeDescription(text: string): string {
  const description = text.replace(/\r\n|[\n\r\u2028\u2029]/g, " ");
  const at = description.search(DIRECTION_OVERRIDE);
  if (at < 0) return description;
  const position = codePointLength(description.slice(0, at)) + 1;
  throw new AppError("BAD_REQUEST", `Invalid character in description, at position ${position}.`);
}

/**
 * Parses a request's `message_retention_days`: a number of days, `realm_default` (null) or `unlimited`.
 * @throws AppError REQUEST_VARIABLE_INVALID.
 */
export function parseRetention(sent: number | string): number | null {
  if (sent === "realm_default") return null;
  if (sent === "unlimited") return UNLIMITED_RETENTION;
  if (typeof sent === "number" && Number.isSafeInteger(sent) && sent > 0) return sent;
  const name = "message_retention_days";
  throw new AppError("REQUEST_VARIABLE_INVALID", `Bad value for '${name}': ${sent}`, {
    extra: { var_name: name, bad_value: sent },
  });
}
