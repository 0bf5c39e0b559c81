import { foldTopic, isResolved } from "@/lib/chat/topics/model.ts";
import { MENTION_FLAGS, type MessageFlag } from "../flags/model.ts";
import type { NarrowTerm } from "./model/narrow.ts";
import { matchesSearch } from "./model/search_words.ts";

/** Properties of a message that narrow terms test, for one viewer. */
export interface MessageFacts {
  readonly id: number;
  /** Null for direct messages. */
  readonly channelId: number | null;
  readonly isPublicChannel: boolean;
  readonly isWebPublicChannel: boolean;
  /** Empty for general chat and for direct messages. */
  readonly topic: string;
  /** User ids, ascending, including the sender; null for channel messages. */
  readonly participants: readonly number[] | null;
  readonly senderId: number;
  /** Ids of the users whom it mentions by name. */
  readonly mentionedUserIds: readonly number[];
  /** Flags of the viewer. */
  readonly flags: readonly MessageFlag[];
  readonly hasLink: boolean;
  readonly hasImage: boolean;
  readonly hasAttachment: boolean;
  readonly hasReaction: boolean;
  /** Markdown, as indexed for search. */
  readonly content: string;
  /** Whether the viewer follows the topic. */
  readonly isFollowed: boolean;
  /** Whether the viewer muted the topic, or muted its channel and did not unmute the topic. */
  readonly isMuted: boolean;
}

/** Returns whether a message satisfies all terms. */
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
    case "mentions":
      return message.mentionedUserIds.includes(term.user);
    case "in":
      return term.what === "all" || !message.isMuted;
    case "is":
      return IS_PREDICATES[term.what](message);
    case "has":
      return HAS_PREDICATES[term.what](message);
    case "id":
      return message.id === term.id;
    case "near":
      return true;
    case "search":
      return matchesSearch(term.query, message.content, message.topic);
  }
}

type Operands<Kind extends NarrowTerm["kind"]> = Extract<NarrowTerm, { kind: Kind; what: string }>["what"];

const IS_PREDICATES: Readonly<Record<Operands<"is">, (message: MessageFacts) => boolean>> = {
  starred: ({ flags }) => flags.includes("starred"),
  mentioned: ({ flags }) => MENTION_FLAGS.some((flag) => flags.includes(flag)),
  alerted: ({ flags }) => flags.includes("has_alert_word"),
  unread: ({ flags }) => !flags.includes("read"),
  dm: ({ participants }) => participants !== null,
  resolved: ({ channelId, topic }) => channelId !== null && isResolved(topic),
  followed: ({ isFollowed }) => isFollowed,
  muted: ({ isMuted }) => isMuted,
};

const HAS_PREDICATES: Readonly<Record<Operands<"has">, (message: MessageFacts) => boolean>> = {
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
