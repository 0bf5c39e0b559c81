import { invalidNarrow, type NarrowTerm, type SentTerm } from "./narrow.ts";

/** Where messages are: in a topic of a channel, or among the participants of direct messages (ascending). */
export type Conversation =
  | { readonly channelId: number; readonly topic: string }
  | { readonly participants: readonly number[] };

/** What terms name without saying its id, and what has to be looked up for them. */
export interface NarrowNames {
  readonly channelNames: readonly string[];
  readonly emails: readonly string[];
  /** The message whose conversation is asked for. */
  readonly withId: number | undefined;
}

/** What was found for the names. What the reader may not know of is left out, like what does not exist. */
export interface FoundNames {
  /** Null: a reader who takes part in no conversation. */
  readonly viewerId: number | null;
  readonly channelIds: ReadonlyMap<string, number>;
  readonly userIds: ReadonlyMap<string, number>;
  /** Where the message of `withId` is. */
  readonly conversation: Conversation | undefined;
}

/** The terms that a conversation stands in for. */
const CONVERSATION_KINDS: readonly string[] = ["channel", "topic", "dm"];

/**
 * What must be looked up before terms can be resolved; each name comes once, as it was sent.
 * @throws AppError BAD_REQUEST for more than one `with`, or a negated one.
 */
export function namesIn(terms: readonly SentTerm[]): NarrowNames {
  const channels = terms.flatMap((term) => term.kind === "channel" ? [term.channel] : []);
  const users = terms.flatMap((term) =>
    term.kind === "sender"
      ? [term.user]
      : term.kind === "dm" || term.kind === "dm-including"
      ? term.users
      : []
  );
  const withTerms = terms.filter((term) => term.kind === "with");
  if (withTerms.length > 1) throw invalidNarrow("Duplicate 'with' operators.");
  if (withTerms.some(({ negated }) => negated)) throw invalidNarrow("Invalid 'with' operator");
  return { channelNames: textsOf(channels), emails: textsOf(users), withId: withTerms[0]?.id };
}

/**
 * The terms by ids. `with` takes the place of the channel, the topic and the participants that were sent beside it,
 * for the message may have moved; where its message is not to be seen, those beside it hold.
 * @throws AppError BAD_REQUEST for a channel or user that is not among the found, and for a `with` that leads nowhere.
 */
export function resolveNarrow(terms: readonly SentTerm[], found: FoundNames): NarrowTerm[] {
  const { conversation } = found;
  const isWith = terms.some(({ kind }) => kind === "with");
  const isPlaced = terms.some(isConversational);
  if (isWith && conversation === undefined && !isPlaced) throw invalidNarrow("Invalid 'with' operator");
  return terms.flatMap((term) => {
    if (term.kind === "with") return conversation === undefined ? [] : termsOf(conversation);
    return isWith && conversation !== undefined && isConversational(term) ? [] : [resolveTerm(term, found)];
  });
}

function isConversational({ kind, negated }: SentTerm): boolean {
  return !negated && CONVERSATION_KINDS.includes(kind);
}

function termsOf(conversation: Conversation): NarrowTerm[] {
  if ("participants" in conversation) {
    return [{ kind: "dm", users: conversation.participants, negated: false }];
  }
  const { channelId, topic } = conversation;
  return [{ kind: "channel", channel: channelId, negated: false }, { kind: "topic", topic, negated: false }];
}

function resolveTerm(term: Exclude<SentTerm, { readonly kind: "with" }>, found: FoundNames): NarrowTerm {
  const user = (sent: number | string) => idOf(found.userIds, sent, "unknown user");
  switch (term.kind) {
    case "channel":
      return { ...term, channel: idOf(found.channelIds, term.channel, "unknown channel") };
    case "sender":
      return { ...term, user: user(term.user) };
    case "dm":
      return { ...term, users: withViewer(term.users.map(user), found.viewerId) };
    case "dm-including":
      return { ...term, users: term.users.map(user) };
    default:
      return term;
  }
}

/** The participants of a conversation, ascending; an empty list stays empty, for it names no conversation. */
function withViewer(users: readonly number[], viewerId: number | null): number[] {
  if (users.length === 0 || viewerId === null) return [];
  return [...new Set([viewerId, ...users])].sort((a, b) => a - b);
}

function idOf(found: ReadonlyMap<string, number>, sent: number | string, refusal: string): number {
  const id = typeof sent === "number" ? sent : found.get(sent);
  if (id === undefined) throw invalidNarrow(refusal);
  return id;
}

function textsOf(sent: readonly (number | string)[]): string[] {
  return [...new Set(sent.filter((each) => typeof each === "string"))];
}
