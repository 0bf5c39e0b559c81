import type { Key } from "@/lib/kv/key.ts";

/** The longest message, in code points. */
export const MAX_MESSAGE = 10_000;

/** One message, in a channel's topic or in a conversation. */
export interface MessageRecord {
  readonly id: number;
  readonly sender_id: number;
  /** Null in conversations. */
  readonly channel_id: number | null;
  /** As it was written; empty in conversations, and for the topic without a name. */
  readonly topic: string;
  /** The topic that it was sent to, folded: what was read is noted there, wherever the message is moved. */
  readonly read_bucket: string;
  /** The channel that it was first sent to, where it is in another one now. */
  readonly read_channel_id?: number;
  /** What its history takes in the store, in bytes at most; not there where it was never edited or moved. */
  readonly history_bytes?: number;
  /** Null in channels. */
  readonly conversation_id: number | null;
  /** Markdown. */
  readonly content: string;
  /** HTML; null where it is too large for the record and lies apart. */
  readonly rendered: string | null;
  /** The program that sent it. */
  readonly client: string;
  /** Milliseconds since 1970 UTC. */
  readonly sent_at: number;
  /** Milliseconds since 1970 UTC; null where the content was never edited. */
  readonly edited_at: number | null;
  /** Milliseconds since 1970 UTC; null where it was never moved. */
  readonly moved_at: number | null;
  readonly is_me_message: boolean;
  readonly has_link: boolean;
  readonly has_image: boolean;
  readonly has_attachment: boolean;
  /** The uploads that its text links, by their ids; not there where it never linked any. */
  readonly upload_ids?: readonly number[];
  readonly mentions: Mentions;
}

/** Whom a message speaks to by name. */
export interface Mentions {
  readonly user_ids: readonly number[];
  readonly group_ids: readonly number[];
  /** Everybody in the channel or the conversation. */
  readonly is_stream_wildcard: boolean;
  /** Everybody who takes part in the topic. */
  readonly is_topic_wildcard: boolean;
}

/** People who write to each other, whoever begins: one for each set of them. */
export interface ConversationRecord {
  readonly id: number;
  /** Ascending; one's own id alone for notes to oneself. */
  readonly user_ids: readonly number[];
}

/** A topic of a channel that has messages, or had. */
export interface TopicRecord {
  /** As it was first written. */
  readonly name: string;
}

/** A topic of a channel as messages were first sent to it. */
export interface TopicBucket {
  readonly channelId: number;
  readonly bucket: string;
}

/** Where messages lie in the store. */
export const messageKeys = {
  message: (realmId: number, id: number): Key => [realmId, "message", id],
  /** A rendered text that is too large for its record, in pieces. */
  rendered: (realmId: number, id: number): Key => [realmId, "rendered", id],
  ofChannel: (realmId: number, channelId: number): Key => [realmId, "channel_message", channelId],
  ofTopic: (realmId: number, channelId: number, topic: string): Key => [
    realmId,
    "topic_message",
    channelId,
    foldTopic(topic),
  ],
  topic: (
    realmId: number,
    channelId: number,
    topic: string,
  ): Key => [realmId, "topic", channelId, foldTopic(topic)],
  topics: (realmId: number, channelId: number): Key => [realmId, "topic", channelId],
  /** How many messages a topic has: a sum. */
  topicCount: (realmId: number, channelId: number, topic: string): Key => [
    realmId,
    "topic_count",
    channelId,
    foldTopic(topic),
  ],
  conversation: (realmId: number, id: number): Key => [realmId, "conversation", id],
  conversationOf: (realmId: number, userIds: readonly number[]): Key => [
    realmId,
    "conversation_of",
    userIds.join(","),
  ],
  ofConversation: (realmId: number, conversationId: number): Key => [
    realmId,
    "conversation_message",
    conversationId,
  ],
  /** Every direct message that an account sent or received. */
  directOf: (realmId: number, userId: number): Key => [realmId, "direct_message", userId],
  sentBy: (realmId: number, userId: number): Key => [realmId, "sent_message", userId],
  /** Which messages that were sent to a topic an account has read: an interval set. */
  readInTopic: (realmId: number, userId: number, { channelId, bucket }: TopicBucket): Key => [
    realmId,
    "read",
    userId,
    channelId,
    bucket,
  ],
  /** Which messages of a conversation an account has read: an interval set. */
  readInConversation: (realmId: number, userId: number, conversationId: number): Key => [
    realmId,
    "read_direct",
    userId,
    conversationId,
  ],
  /** The id up to which an account has read everything there is. */
  readAll: (realmId: number, userId: number): Key => [realmId, "read_all", userId],
  /** Which messages that were sent to a channel an account has read by marking the channel: an interval set. */
  readChannel: (realmId: number, userId: number, channelId: number): Key => [
    realmId,
    "read_channel",
    userId,
    channelId,
  ],
  /** Which messages an account marked as unread again, whatever else says that they are read: an interval set. */
  unread: (realmId: number, userId: number): Key => [realmId, "unread", userId],
  /** There where an account put a star on a message. */
  starred: (realmId: number, userId: number): Key => [realmId, "starred", userId],
  /** There where an account folded a message up. */
  collapsed: (realmId: number, userId: number): Key => [realmId, "collapsed", userId],
  /** There where an account was spoken to by name. */
  mentioned: (realmId: number, userId: number): Key => [realmId, "mentioned", userId],
  /** What was changed of a message, the latest first. */
  history: (realmId: number, id: number): Key => [realmId, "message_history", id],
  /** There where a topic holds a message that was first sent to another one; `bucket` is the folded topic. */
  movedInto: (realmId: number, { channelId, bucket }: TopicBucket): Key => [
    realmId,
    "moved_into",
    channelId,
    bucket,
  ],
  /** The channel that a message is in now, where it is not in the topic that it was first sent to. */
  movedOut: (realmId: number, { channelId, bucket }: TopicBucket): Key => [
    realmId,
    "moved_out",
    channelId,
    bucket,
  ],
  /** Messages with a word, for searching. */
  word: (realmId: number, word: string): Key => [realmId, "word", word],
};

/** A topic as it is compared: in any case. */
export function foldTopic(topic: string): string {
  return topic.trim().toLowerCase();
}
