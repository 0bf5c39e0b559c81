import { isResolved } from "./edit_topic.ts";
import { foldTopic } from "./message.ts";
import { MENTION_FLAGS, type MessageFlag } from "./message_flags.ts";
import type { NarrowTerm } from "./narrow.ts";
import { matchesSearch } from "./search_words.ts";

/** What a narrow may ask about a message, as one reader has it; getters may work out what is rarely asked. */
export interface MessageFacts {
  readonly id: number;
  /** Null for direct messages. */
  readonly channelId: number | null;
  readonly isPublicChannel: boolean;
  readonly isWebPublicChannel: boolean;
  /** "" for the empty topic and for direct messages. */
  readonly topic: string;
  /** Ascending, the sender among them; null for messages of channels. */
  readonly participants: readonly number[] | null;
  readonly senderId: number;
  /** The reader's. */
  readonly flags: readonly MessageFlag[];
  readonly hasLink: boolean;
  readonly hasImage: boolean;
  readonly hasAttachment: boolean;
  readonly hasReaction: boolean;
  /** The very text whose words are in the index. */
  readonly content: string;
  /** Whether the reader follows the topic. */
  readonly isFollowed: boolean;
  /** Whether the reader muted the topic, or its channel without excepting the topic. */
  readonly isMuted: boolean;
}

/** Whether a message satisfies all terms: what every index has to give. */
export function matchesNarrow(terms: readonly NarrowTerm[], message: MessageFacts): boolean {
  return terms.every((term) => term.kind === "near" || satisfies(term, message) !== term.negated);
}

function satisfies(term: NarrowTerm, message: MessageFacts): boolean {
  switch (term.kind) {
    case "channel":
      return message.channelId === term.channel;
    case "channels":
      return message.channelId !== null &&
        (term.which === "public" ? message.isPublicChannel : message.isWebPublicChannel);
    case "topic":
      return message.channelId !== null && foldTopic(message.topic) === foldTopic(term.topic);
    case "dm":
      return isSame(term.users, message.participants);
    case "dm-including":
      return includesAll(message.participants, term.users);
    case "sender":
      return message.senderId === term.user;
    case "is":
      return IS[term.what](message);
    case "has":
      return HAS[term.what](message);
    case "id":
      return message.id === term.id;
    case "near":
      return true;
    case "search":
      return matchesSearch(term.query, message.content);
  }
}

type Operands<Kind extends NarrowTerm["kind"]> = Extract<NarrowTerm, { kind: Kind; what: string }>["what"];

const IS: Readonly<Record<Operands<"is">, (message: MessageFacts) => boolean>> = {
  starred: ({ flags }) => flags.includes("starred"),
  mentioned: ({ flags }) => MENTION_FLAGS.some((flag) => flags.includes(flag)),
  alerted: ({ flags }) => flags.includes("has_alert_word"),
  unread: ({ flags }) => !flags.includes("read"),
  dm: ({ participants }) => participants !== null,
  resolved: ({ channelId, topic }) => channelId !== null && isResolved(topic),
  followed: ({ isFollowed }) => isFollowed,
  muted: ({ isMuted }) => isMuted,
};

const HAS: Readonly<Record<Operands<"has">, (message: MessageFacts) => boolean>> = {
  link: ({ hasLink }) => hasLink,
  image: ({ hasImage }) => hasImage,
  attachment: ({ hasAttachment }) => hasAttachment,
  reaction: ({ hasReaction }) => hasReaction,
};

function isSame(users: readonly number[], participants: readonly number[] | null): boolean {
  return participants !== null && users.length > 0 && users.length === participants.length &&
    users.every((user, at) => user === participants[at]);
}

function includesAll(participants: readonly number[] | null, users: readonly number[]): boolean {
  return participants !== null && users.every((user) => participants.includes(user));
}
