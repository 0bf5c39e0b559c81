import type { Key } from "@/lib/store/key.ts";
import type { ChannelRecord } from "../organization/channels/model/channel.ts";
import type { Membership } from "../channels/subscriptions/model.ts";
import type { WidgetType } from "./submessages/model.ts";
import { foldTopic } from "../channels/topics/model.ts";
import type { UserRecord } from "../organization/users/model.ts";

/** Maximum length of a message, in code points. */
export const MAX_MESSAGE_LENGTH = 10_000;

/** A message in a topic of a channel or in a conversation. */
export interface MessageRecord {
  readonly id: number;
  readonly sender_id: number;
  /** Null in conversations. */
  readonly channel_id: number | null;
  /** As written by the sender; empty in conversations and for general chat. */
  readonly topic: string;
  /**
   * Folded name of the topic that the message was sent to. Read state stays under it when the message moves.
   */
  readonly read_bucket: string;
  /** Channel that the message was sent to; present only while it is in another one. */
  readonly read_channel_id?: number;
  /**
   * Upper bound of the stored size of its edit history, in bytes; absent when it was never edited or moved.
   */
  readonly history_bytes?: number;
  /** Null in channels. */
  readonly conversation_id: number | null;
  /** Markdown. */
  readonly content: string;
  /** HTML; null when it is too large for the record and stored in pieces. */
  readonly rendered: string | null;
  /** Name of the program that sent the message. */
  readonly client: string;
  /** Milliseconds since 1970 UTC. */
  readonly sent_at: number;
  /** Milliseconds since 1970 UTC; null when the content was never edited. */
  readonly edited_at: number | null;
  /** Milliseconds since 1970 UTC; null when the message was never moved. */
  readonly moved_at: number | null;
  readonly is_me_message: boolean;
  readonly has_link: boolean;
  readonly has_image: boolean;
  readonly has_attachment: boolean;
  /** Ids of the uploads that its content links; absent when it never linked any. */
  readonly upload_ids?: readonly number[];
  readonly mentions: Mentions;
  /** Kind of the widget that the content was sent as; absent in ordinary messages. */
  readonly widget_type?: WidgetType;
}

export interface Mentions {
  readonly user_ids: readonly number[];
  readonly group_ids: readonly number[];
  /** Whether all members of the channel or conversation are mentioned. */
  readonly is_stream_wildcard: boolean;
  /** Whether all participants of the topic are mentioned. */
  readonly is_topic_wildcard: boolean;
}

/** A direct-message conversation; each set of participants has exactly one. */
export interface ConversationRecord {
  readonly id: number;
  /** Ascending; a single id for a conversation with oneself. */
  readonly user_ids: readonly number[];
}

export interface TopicRecord {
  /** As first written. */
  readonly name: string;
}

/** A channel and the folded name of one of its topics. */
export interface TopicBucket {
  readonly channelId: number;
  readonly bucket: string;
}

/** Keys of messages, conversations and topics, of their indexes and of read state. */
export const messageKeys = {
  messages: (realmId: number): Key => [realmId, "message"],
  message: (realmId: number, id: number): Key => [realmId, "message", id],
  /** Number of changes of messages that were sent before; what was read under another number may be stale. */
  changes: (realmId: number): Key => [realmId, "message_changes"],
  /** Prefix of the HTML pieces of a message that is too large for its record. */
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
  /** Number of messages in a topic, stored as a sum. */
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
  /** Prefix of the direct messages that a user sent or received. */
  directOf: (realmId: number, userId: number): Key => [realmId, "direct_message", userId],
  /** Prefix of the messages of all senders. */
  sent: (realmId: number): Key => [realmId, "sent_message"],
  sentBy: (realmId: number, userId: number): Key => [realmId, "sent_message", userId],
  /** Interval set of the message ids that a user has read among those sent to a topic. */
  readInTopic: (realmId: number, userId: number, { channelId, bucket }: TopicBucket): Key => [
    realmId,
    "read",
    userId,
    channelId,
    bucket,
  ],
  /** Interval set of the message ids that a user has read in a conversation. */
  readInConversation: (realmId: number, userId: number, conversationId: number): Key => [
    realmId,
    "read_direct",
    userId,
    conversationId,
  ],
  /** Id up to which a user has marked everything as read. */
  readAll: (realmId: number, userId: number): Key => [realmId, "read_all", userId],
  /** Interval set of the message ids that a user has read by marking a whole channel. */
  readChannel: (realmId: number, userId: number, channelId: number): Key => [
    realmId,
    "read_channel",
    userId,
    channelId,
  ],
  /** Number of changes of what a user has read in topics and channels, stored as a sum. */
  readVersion: (realmId: number, userId: number): Key => [realmId, "read_version", userId],
  /** Interval set of the message ids that a user marked as unread; overrides every other read state. */
  unread: (realmId: number, userId: number): Key => [realmId, "unread", userId],
  /** Prefix of the messages that a user starred. */
  starred: (realmId: number, userId: number): Key => [realmId, "starred", userId],
  /** Prefix of the messages that a user collapsed. */
  collapsed: (realmId: number, userId: number): Key => [realmId, "collapsed", userId],
  /** Prefix of the messages that mention a user by name. */
  mentioned: (realmId: number, userId: number): Key => [realmId, "mentioned", userId],
  /** Edit history of a message, newest first. */
  history: (realmId: number, id: number): Key => [realmId, "message_history", id],
  /** Prefix of the messages in a topic that were first sent to another one. */
  movedInto: (realmId: number, { channelId, bucket }: TopicBucket): Key => [
    realmId,
    "moved_into",
    channelId,
    bucket,
  ],
  /** Number of moves of messages in the organization. */
  moveVersion: (realmId: number): Key => [realmId, "move_version"],
  /** Prefix of the messages first sent to a topic that are in another one now; the value is their channel. */
  movedOut: (realmId: number, { channelId, bucket }: TopicBucket): Key => [
    realmId,
    "moved_out",
    channelId,
    bucket,
  ],
};

/** Destination of a message after permission checks. */
export type Recipient =
  | {
    readonly kind: "channel";
    readonly channel: ChannelRecord;
    readonly topic: string;
    /** Whether the message is the first of its topic. */
    readonly isNewTopic: boolean;
  }
  | { readonly kind: "direct"; readonly conversation: ConversationRecord };

/** Maximum number of participants in a conversation. */
export const MAX_PARTICIPANTS = 50;

/** User who views messages; null is a spectator, who has no account and sees only web-public channels. */
export type Viewer = UserRecord | null;

/** A message that its viewer can see, with the channel or conversation that holds it. */
export interface VisibleMessage {
  readonly message: MessageRecord;
  /** Null in conversations. */
  readonly channel: ChannelRecord | null;
  /** Null in channels. */
  readonly conversation: ConversationRecord | null;
  /** Whether the message was sent to the viewer, rather than found in a channel's history. */
  readonly isReceived: boolean;
}

/** Direction and start of a scan of message ids; `from` is included. */
export interface IdScan {
  readonly from: number;
  readonly isAscending: boolean;
}

/** An id of an index, with its message where that was read along with it. */
export interface Candidate {
  readonly id: number;
  readonly message: MessageRecord | null;
}

/** Candidates in scan order, in chunks that are read ahead of their use. */
export type CandidateScan = AsyncGenerator<readonly Candidate[], void>;

/** Returns the number of a recipient: channels have even numbers, conversations odd ones. */
export function toRecipientId(
  { channel_id, conversation_id }: Pick<MessageRecord, "channel_id" | "conversation_id">,
): number {
  return channel_id === null ? 2 * (conversation_id ?? 0) + 1 : 2 * channel_id;
}

/** Returns whether the user was subscribed when a message was sent. */
export function wasReceived(subscription: Membership | null, messageId: number): boolean {
  return subscription?.periods.some(({ from, to }) =>
    messageId >= from && (to === null || messageId <= to)
  ) ?? false;
}

/** Mentions before an edit, and those that the edit added. */
export interface MentionEdit {
  readonly before: Mentions;
  readonly added: Mentions;
}

/** Compares the mentions before and after an edit; returns null when the edit added none. */
export function diffMentions(before: Mentions, after: Mentions): MentionEdit | null {
  const added: Mentions = {
    user_ids: after.user_ids.filter((id) => !before.user_ids.includes(id)),
    group_ids: after.group_ids.filter((id) => !before.group_ids.includes(id)),
    is_stream_wildcard: after.is_stream_wildcard && !before.is_stream_wildcard,
    is_topic_wildcard: after.is_topic_wildcard && !before.is_topic_wildcard,
  };
  const isAny = added.user_ids.length > 0 || added.group_ids.length > 0 || added.is_stream_wildcard ||
    added.is_topic_wildcard;
  return isAny ? { before, added } : null;
}

export function intersectMentions(one: Mentions, other: Mentions): Mentions {
  return {
    user_ids: one.user_ids.filter((id) => other.user_ids.includes(id)),
    group_ids: one.group_ids.filter((id) => other.group_ids.includes(id)),
    is_stream_wildcard: one.is_stream_wildcard && other.is_stream_wildcard,
    is_topic_wildcard: one.is_topic_wildcard && other.is_topic_wildcard,
  };
}
