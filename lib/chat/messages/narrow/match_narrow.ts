import { MAX_TOPIC } from "@/lib/chat/organization/channels/model/channel.ts";
import { codePointLength } from "@/lib/core/text.ts";
import { foldTopic, isResolved } from "@/lib/chat/channels/topics/model.ts";
import { MENTION_FLAGS, type MessageFlag } from "../flags.ts";
import type { ChannelsOperand, NarrowTerm } from "./terms.ts";
import type { Facet } from "./facets.ts";
import { matchesSearch, type SearchWord } from "./search_words.ts";

/** A stored index of messages that contains every match of a narrow. */
export type NarrowIndex =
  /** The terms contradict each other. */
  | { readonly kind: "nothing" }
  | { readonly kind: "id"; readonly id: number }
  | { readonly kind: "starred" }
  | { readonly kind: "search"; readonly words: readonly SearchWord[] }
  | { readonly kind: "topic"; readonly channelId: number; readonly topic: string }
  /** User ids, ascending, including the viewer. */
  | { readonly kind: "dm"; readonly participants: readonly number[] }
  /** Direct messages that the viewer sent or received. */
  | { readonly kind: "direct" }
  | { readonly kind: "mentioned" }
  /** Messages with an alert word of the viewer. */
  | { readonly kind: "alerted" }
  | { readonly kind: "mentions"; readonly userId: number }
  | { readonly kind: "sender"; readonly senderId: number }
  | { readonly kind: "facet"; readonly facet: Facet }
  | { readonly kind: "reactions" }
  | { readonly kind: "channel"; readonly channelId: number }
  /** Messages of all channels of a kind, possibly with others. */
  | { readonly kind: "channels"; readonly which: ChannelsOperand }
  | { readonly kind: "all" };

/** An index and the terms that remain to be checked on its messages. */
interface NarrowPlan {
  readonly index: NarrowIndex;
  readonly residual: readonly NarrowTerm[];
}

type Planner = (terms: readonly NarrowTerm[]) => NarrowPlan | null;

/** Kinds of terms of which a message satisfies at most one. */
const EXCLUSIVE_KINDS: readonly NarrowTerm["kind"][] = ["channel", "topic", "dm", "sender", "id"];

/** Planners, most selective index first; search precedes locations because matching text costs most. */
const PLANNERS: readonly Planner[] = [
  planNothing,
  createKindPlanner("id", ({ id }) => ({ kind: "id", id })),
  createFlagPlanner("starred"),
  planSearch,
  planTopic,
  createKindPlanner("dm", ({ users }) => ({ kind: "dm", participants: users })),
  createKindPlanner("mentions", ({ user }) => ({ kind: "mentions", userId: user })),
  planDirect,
  createFlagPlanner("mentioned"),
  createFlagPlanner("alerted"),
  createKindPlanner("sender", ({ user }) => ({ kind: "sender", senderId: user })),
  createKindPlanner(
    "has",
    ({ what }) => what === "reaction" ? { kind: "reactions" } : { kind: "facet", facet: what },
  ),
  createKindPlanner("channel", ({ channel }) => ({ kind: "channel", channelId: channel })),
  planChannels,
];

/**
 * Chooses the index for a narrow. A message satisfies the terms exactly when it is in the index and satisfies
 * the residual terms; access is checked separately.
 */
export function chooseIndex(terms: readonly NarrowTerm[]): NarrowPlan {
  const conditions = terms.filter(({ kind }) => kind !== "near");
  for (const plan of PLANNERS) {
    const planned = plan(conditions);
    if (planned !== null) return planned;
  }
  return { index: { kind: "all" }, residual: conditions };
}

function planNothing(terms: readonly NarrowTerm[]): NarrowPlan | null {
  const wanted = terms.filter(({ negated }) => !negated);
  const refused = new Set(terms.filter(({ negated }) => negated).map(toConditionKey));
  const isContradiction = wanted.some((term) => matchesNothing(term) || refused.has(toConditionKey(term))) ||
    EXCLUSIVE_KINDS.some((kind) =>
      new Set(wanted.filter((term) => term.kind === kind).map(toConditionKey)).size > 1
    ) || (wanted.some(impliesChannel) && wanted.some(impliesDirect));
  return isContradiction ? { index: { kind: "nothing" }, residual: [] } : null;
}

/** Returns whether no message can satisfy a term. */
function matchesNothing(term: NarrowTerm): boolean {
  return (term.kind === "dm" && term.users.length === 0) ||
    (term.kind === "topic" && codePointLength(term.topic) > MAX_TOPIC) ||
    (term.kind === "search" && term.query.words.length === 0);
}

function impliesChannel(term: NarrowTerm): boolean {
  return ["channel", "channels", "topic"].includes(term.kind) ||
    (term.kind === "is" && term.what === "resolved");
}

function impliesDirect(term: NarrowTerm): boolean {
  return ["dm", "dm-including"].includes(term.kind) || (term.kind === "is" && term.what === "dm");
}

/** Returns a key that two terms share exactly when they ask for the same condition, negated or not. */
function toConditionKey(term: NarrowTerm): string {
  const same = term.kind === "topic" ? { ...term, topic: foldTopic(term.topic) } : term;
  return JSON.stringify({ ...same, negated: false });
}

/** Creates a plan for an index; terms with the same condition as a used one are satisfied by it. */
function createPlan(
  terms: readonly NarrowTerm[],
  index: NarrowIndex,
  used: readonly NarrowTerm[],
): NarrowPlan {
  const done = new Set(used.map(toConditionKey));
  return { index, residual: terms.filter((term) => !done.has(toConditionKey(term))) };
}

type TermOf<Kind extends NarrowTerm["kind"]> = Extract<NarrowTerm, { readonly kind: Kind }>;

function findTerm<Kind extends NarrowTerm["kind"]>(
  terms: readonly NarrowTerm[],
  kind: Kind,
): TermOf<Kind> | undefined {
  return terms.find((term): term is TermOf<Kind> => term.kind === kind && !term.negated);
}

/** Creates the planner of an index that one kind of term selects. */
function createKindPlanner<Kind extends NarrowTerm["kind"]>(
  kind: Kind,
  toIndex: (term: TermOf<Kind>) => NarrowIndex,
): Planner {
  return (terms) => {
    const term = findTerm(terms, kind);
    return term === undefined ? null : createPlan(terms, toIndex(term), [term]);
  };
}

function createFlagPlanner(flag: "starred" | "mentioned" | "alerted"): Planner {
  return (terms) => {
    const term = terms.find((each) => each.kind === "is" && each.what === flag && !each.negated);
    return term === undefined ? null : createPlan(terms, { kind: flag }, [term]);
  };
}

/** Plans a search. The index holds words but not their order, so terms with phrases remain. */
function planSearch(terms: readonly NarrowTerm[]): NarrowPlan | null {
  const searches = terms.flatMap((term) => term.kind === "search" && !term.negated ? [term] : []);
  if (searches.length === 0) return null;
  const words = new Map(
    searches.flatMap(({ query }) => query.words).map((word) => [JSON.stringify(word), word]),
  );
  const done = searches.filter(({ query }) => query.phrases.length === 0);
  return createPlan(terms, { kind: "search", words: [...words.values()] }, done);
}

/** Plans terms that only direct messages satisfy; a term that names participants remains. */
function planDirect(terms: readonly NarrowTerm[]): NarrowPlan | null {
  const isDirect = (term: NarrowTerm) => term.kind === "is" && term.what === "dm" && !term.negated;
  const including = findTerm(terms, "dm-including");
  if (including === undefined && !terms.some(isDirect)) return null;
  return createPlan(terms, { kind: "direct" }, terms.filter(isDirect));
}

/** Plans a channels term, which remains: with very many channels all messages are scanned. */
function planChannels(terms: readonly NarrowTerm[]): NarrowPlan | null {
  const term = findTerm(terms, "channels");
  return term === undefined ? null : createPlan(terms, { kind: "channels", which: term.which }, []);
}

function planTopic(terms: readonly NarrowTerm[]): NarrowPlan | null {
  const [channel, topic] = [findTerm(terms, "channel"), findTerm(terms, "topic")];
  if (channel === undefined || topic === undefined) return null;
  const index: NarrowIndex = { kind: "topic", channelId: channel.channel, topic: topic.topic };
  return createPlan(terms, index, [channel, topic]);
}

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
  readonly mentionedUserIds: readonly number[];
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
    case "dm": {
      const { participants } = message;
      return participants !== null && term.users.length > 0 && term.users.length === participants.length &&
        term.users.every((user, at) => user === participants[at]);
    }
    case "dm-including":
      return message.participants !== null &&
        term.users.every((user) => message.participants?.includes(user));
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
