import { AppError } from "@/lib/core/errors.ts";
import { requireName } from "@/lib/core/names.ts";
import { codePointLength } from "@/lib/core/text.ts";
import type { Key } from "@/lib/store/key.ts";
import {
  type ChannelRecord,
  EMPTY_TOPIC_NAME,
  MAX_TOPIC,
} from "@/lib/chat/organization/channels/model/channel.ts";
import { z } from "zod";
import {
  bool,
  choice,
  described,
  exact,
  int,
  intChoice,
  optional,
  text,
  trimmed,
  withDefault,
} from "@/lib/chat/organization/params/param.ts";

/** Visibility policies of a topic: the channel's, muted, unmuted in a muted channel, followed. */
export const VISIBILITY = { none: 0, muted: 1, unmuted: 2, followed: 3 } as const;
export const VISIBILITY_POLICIES = [0, 1, 2, 3] as const;
export type VisibilityPolicy = typeof VISIBILITY_POLICIES[number];

/** A user's visibility policy for a topic; absent while it is `none`. */
export interface UserTopicRecord {
  readonly channel_id: number;
  /** As last sent; empty for general chat. */
  readonly topic_name: string;
  /** Milliseconds since 1970 UTC. */
  readonly last_updated: number;
  readonly visibility_policy: VisibilityPolicy;
}

/** Visibility policies, from the least to the most visible. */
const BY_VISIBILITY: readonly VisibilityPolicy[] = [
  VISIBILITY.muted,
  VISIBILITY.none,
  VISIBILITY.unmuted,
  VISIBILITY.followed,
];

/** Returns the more visible of two policies: a merge of topics must not hide messages that were visible. */
export function mergePolicies(one: VisibilityPolicy, other: VisibilityPolicy): VisibilityPolicy {
  return BY_VISIBILITY.indexOf(one) > BY_VISIBILITY.indexOf(other) ? one : other;
}

/**
 * Ways to take part in a topic: reacting or voting, sending, starting it. The settings for automatic policies
 * use the same numbers, and 4 for none; a setting covers its own way and those with higher numbers.
 */
export const PARTICIPATION = { participate: 1, send: 2, start: 3 } as const;
export type Participation = typeof PARTICIPATION[keyof typeof PARTICIPATION];

/** A user's settings for automatic policies, as numbers of `PARTICIPATION` or 4 for none. */
export interface AutomaticPolicySettings {
  /** First way to take part in a topic that follows it. */
  readonly follows: number;
  /** First way to take part in a topic of a muted channel that unmutes it. */
  readonly unmutes: number;
}

export interface UserTopicRef {
  readonly userId: number;
  readonly channelId: number;
  readonly topic: string;
}

export const userTopicKeys = {
  topics: (realmId: number, userId: number): Key => [realmId, "user_topic", userId],
  topic: (realmId: number, { userId, channelId, topic }: UserTopicRef): Key => [
    realmId,
    "user_topic",
    userId,
    channelId,
    foldTopic(topic),
  ],
  /** Prefix of the policies of all users for a topic, by user id. */
  ofTopic: (realmId: number, { channelId, topic }: TopicLocation): Key => [
    realmId,
    "policy_by_topic",
    channelId,
    foldTopic(topic),
  ],
  /** Number of changes of the policies for a topic, stored as a sum. */
  changes: (realmId: number, { channelId, topic }: TopicLocation): Key => [
    realmId,
    "policy_changes",
    channelId,
    foldTopic(topic),
  ],
};

/** Names that clients use for general chat. */
const EMPTY_TOPIC_NAMES: readonly string[] = [EMPTY_TOPIC_NAME, "(no topic)"];

export const RESOLVED_PREFIX = "✔ ";

/**
 * Parses a topic name: trims it and maps names of general chat to an empty text. `parameter` is used in the
 * error.
 * @throws AppError BAD_REQUEST when it exceeds MAX_TOPIC code points or contains an invalid character.
 */
export function parseTopic(text: string, parameter = "topic"): string {
  const topic = normalizeTopic(text);
  if (codePointLength(topic) > MAX_TOPIC) {
    throw new AppError("BAD_REQUEST", `${parameter} is too long (limit: ${MAX_TOPIC} characters)`, {
      field: "topic",
    });
  }
  const at = topic.search(/[\p{Cc}\p{Cs}\p{Noncharacter_Code_Point}]/u);
  if (at < 0) return topic;
  const position = codePointLength(topic.slice(0, at)) + 1;
  throw new AppError("BAD_REQUEST", `Invalid character in topic, at position ${position}.`, {
    field: "topic",
  });
}

/**
 * Rejects an invalid name for a new topic. Topics that exist keep names of earlier versions.
 * @throws AppError BAD_REQUEST.
 */
export function requireNewTopicName(topic: string): void {
  requireName(topic, "topic", { mayMixScripts: true, field: "topic" });
}

export function normalizeTopic(text: string): string {
  const topic = text.trim();
  return EMPTY_TOPIC_NAMES.includes(topic) ? "" : topic;
}

/**
 * Returns the topic name for a client: general chat has a display name unless the client accepts empty names.
 */
export function toDisplayTopic(topic: string, allowsEmpty: boolean): string {
  return topic === "" && !allowsEmpty ? EMPTY_TOPIC_NAME : topic;
}

export function isResolved(topic: string): boolean {
  return topic.startsWith(RESOLVED_PREFIX);
}

/**
 * Returns the name of a topic marked as resolved, truncated to the maximum length.
 * @throws AppError BAD_REQUEST for general chat.
 */
export function toResolvedTopic(topic: string): string {
  if (topic === "") throw new AppError("BAD_REQUEST", "General chat cannot be marked as resolved");
  if (isResolved(topic)) return topic;
  const resolved = [...RESOLVED_PREFIX + topic];
  return resolved.length <= MAX_TOPIC
    ? resolved.join("")
    : `${resolved.slice(0, MAX_TOPIC - 1).join("").trimEnd()}…`;
}

export function toUnresolvedTopic(topic: string): string {
  return isResolved(topic) ? topic.replace(/^(?:✔ )+/u, "") : topic;
}

/** Returns whether a rename only resolves or unresolves a topic. */
export function isResolutionChange(before: string, after: string): boolean {
  return isResolved(after)
    ? !isResolved(before) && before !== "" &&
      (before === toUnresolvedTopic(after) || after === toResolvedTopic(before))
    : isResolved(before) && after === toUnresolvedTopic(before);
}

/** Folds a topic name for comparison, ignoring case. */
export function foldTopic(topic: string): string {
  return topic.trim().toLowerCase();
}

/** Returns the size of a topic's name in a key, in bytes. */
export function countTopicBytes(topic: string): number {
  return new TextEncoder().encode(foldTopic(topic)).length;
}

/** A topic of a channel, as written. */
export interface TopicLocation {
  readonly channelId: number;
  readonly topic: string;
}

/** Returns whether two locations are the same topic, ignoring case. */
export function isSameTopic(one: TopicLocation, other: TopicLocation): boolean {
  return one.channelId === other.channelId && foldTopic(one.topic) === foldTopic(other.topic);
}

export function toUserTopic({ channel_id, topic_name, last_updated, visibility_policy }: UserTopicRecord) {
  return {
    stream_id: channel_id,
    topic_name,
    last_updated: Math.floor(last_updated / 1000),
    visibility_policy,
  };
}

/** Converts muted topics for older clients: channel name, topic and seconds since 1970 UTC, oldest first. */
export function toMutedTopics(
  muted: readonly UserTopicRecord[],
  channels: readonly ChannelRecord[],
): (readonly [string, string, number])[] {
  const names = new Map(channels.map(({ id, name }) => [id, name]));
  return [...muted].sort((a, b) => a.last_updated - b.last_updated)
    .flatMap(({ channel_id, topic_name, last_updated }) => {
      const name = names.get(channel_id);
      return name === undefined ? [] : [[name, topic_name, Math.floor(last_updated / 1000)] as const];
    });
}

const topicName = described(
  exact(trimmed({ max: MAX_TOPIC })),
  "Name of the topic, in any case, with or without messages. General chat accepts its display name.",
);

export const updateMutedTopicParams = {
  stream_id: described(optional(int()), "Id of the channel; required without its name."),
  stream: described(optional(exact(text())), "Name of the channel, in any case; not with its id."),
  topic: topicName,
  op: described(choice(["add", "remove"]), "`add` mutes the topic, `remove` unmutes it."),
};

export const setUserTopicParams = {
  stream_id: described(int(), "Id of the channel."),
  topic: topicName,
  visibility_policy: described(
    intChoice(VISIBILITY_POLICIES),
    "0: inherited from the channel; 1: muted; 2: unmuted; 3: followed.",
  ),
};

export const topicsSchema = z.object({
  topics: z.array(z.object({
    name: z.string(),
    max_id: z.int().meta({ description: "Id of the newest message that the caller can see." }),
  })),
});

export const listTopicsParams = {
  allow_empty_topic_name: described(
    withDefault(bool(), false),
    "Whether general chat is returned as an empty topic name.",
  ),
};

export const deleteTopicParams = {
  topic_name: described(
    exact(trimmed({ max: MAX_TOPIC })),
    "Name of the topic, in any case. General chat accepts its display name.",
  ),
};

export const deletedTopicSchema = z.object({
  complete: z.boolean().meta({
    description: "Whether no messages are left that the caller can see; if false, repeat the request.",
  }),
});
