import type { Key } from "@/lib/kv/key.ts";
import { foldTopic } from "./message.ts";

/** What somebody wants of a topic: nothing of his own, not to see it, to see it in a muted channel too, to follow it. */
export const VISIBILITY = { none: 0, muted: 1, unmuted: 2, followed: 3 } as const;
/** The four policies by their numbers. */
export const VISIBILITY_POLICIES = [0, 1, 2, 3] as const;
/** One of the four. */
export type VisibilityPolicy = typeof VISIBILITY_POLICIES[number];

/** What one account wants of one topic; there is none while it wants nothing. */
export interface UserTopicRecord {
  readonly channel_id: number;
  /** As it was last sent; empty for the topic without a name. */
  readonly topic_name: string;
  /** Milliseconds since 1970 UTC. */
  readonly last_updated: number;
  readonly visibility_policy: VisibilityPolicy;
}

/** An account and a topic. */
export interface TopicOf {
  readonly userId: number;
  readonly channelId: number;
  readonly topic: string;
}

/** Where it lies in the store what accounts want of topics. */
export const userTopicKeys = {
  topics: (realmId: number, userId: number): Key => [realmId, "user_topic", userId],
  topic: (realmId: number, { userId, channelId, topic }: TopicOf): Key => [
    realmId,
    "user_topic",
    userId,
    channelId,
    foldTopic(topic),
  ],
  /** A number that grows with every change of what an account wants of topics. */
  version: (realmId: number, userId: number): Key => [realmId, "user_topic_version", userId],
};
