import { invalidNarrow, type NarrowTerm, type UnresolvedTerm } from "./model/narrow.ts";

/** A topic of a channel, or the participants of a direct-message conversation, ascending. */
export type ConversationRef =
  | { readonly channelId: number; readonly topic: string }
  | { readonly participants: readonly number[] };

/** Names in terms that must be looked up. */
export interface UnresolvedNames {
  readonly channelNames: readonly string[];
  readonly emails: readonly string[];
  /** Message of the `with` term. */
  readonly withId: number | undefined;
}

/** Results of the lookups. Inaccessible names are absent, like names that do not exist. */
export interface ResolvedNames {
  /** Null for spectators, who take part in no conversation. */
  readonly viewerId: number | null;
  readonly channelIds: ReadonlyMap<string, number>;
  readonly userIds: ReadonlyMap<string, number>;
  /** Conversation that holds the message of `withId`. */
  readonly conversation: ConversationRef | undefined;
}

/** Kinds of terms that a `with` conversation replaces. */
const CONVERSATION_KINDS: readonly string[] = ["channel", "topic", "dm"];

/**
 * Collects the names to look up, each once and as sent.
 * @throws AppError BAD_REQUEST for more than one `with` term or a negated one.
 */
export function collectNames(terms: readonly UnresolvedTerm[]): UnresolvedNames {
  const channels = terms.flatMap((term) => term.kind === "channel" ? [term.channel] : []);
  const users = terms.flatMap((term) =>
    term.kind === "sender" || term.kind === "mentions"
      ? [term.user]
      : term.kind === "dm" || term.kind === "dm-including"
      ? term.users
      : []
  );
  const withTerms = terms.filter((term) => term.kind === "with");
  if (withTerms.length > 1) throw invalidNarrow("Duplicate 'with' operators.");
  if (withTerms.some(({ negated }) => negated)) throw invalidNarrow("Invalid 'with' operator");
  return { channelNames: listTexts(channels), emails: listTexts(users), withId: withTerms[0]?.id };
}

/**
 * Resolves terms to ids. A `with` term replaces channel, topic and participant terms, as its message may have
 * moved; if its message is inaccessible, those terms apply.
 * @throws AppError BAD_REQUEST for an unresolved channel or user, and for a `with` term without a result.
 */
export function resolveNarrow(terms: readonly UnresolvedTerm[], found: ResolvedNames): NarrowTerm[] {
  const { conversation } = found;
  const hasWith = terms.some(({ kind }) => kind === "with");
  const hasLocation = terms.some(isConversational);
  if (hasWith && conversation === undefined && !hasLocation) throw invalidNarrow("Invalid 'with' operator");
  return terms.flatMap((term) => {
    if (term.kind === "with") return conversation === undefined ? [] : toTerms(conversation);
    return hasWith && conversation !== undefined && isConversational(term) ? [] : [resolveTerm(term, found)];
  });
}

function isConversational({ kind, negated }: UnresolvedTerm): boolean {
  return !negated && CONVERSATION_KINDS.includes(kind);
}

function toTerms(conversation: ConversationRef): NarrowTerm[] {
  if ("participants" in conversation) {
    return [{ kind: "dm", users: conversation.participants, negated: false }];
  }
  const { channelId, topic } = conversation;
  return [{ kind: "channel", channel: channelId, negated: false }, { kind: "topic", topic, negated: false }];
}

function resolveTerm(
  term: Exclude<UnresolvedTerm, { readonly kind: "with" }>,
  found: ResolvedNames,
): NarrowTerm {
  const user = (sent: number | string) => getId(found.userIds, sent, "unknown user");
  switch (term.kind) {
    case "channel":
      return { ...term, channel: getId(found.channelIds, term.channel, "unknown channel") };
    case "sender":
    case "mentions":
      return { ...term, user: user(term.user) };
    case "dm":
      return { ...term, users: withViewer(term.users.map(user), found.viewerId) };
    case "dm-including":
      return { ...term, users: term.users.map(user) };
    default:
      return term;
  }
}

/** Adds the viewer to participants, ascending; an empty list stays empty because it names no conversation. */
function withViewer(users: readonly number[], viewerId: number | null): number[] {
  if (users.length === 0 || viewerId === null) return [];
  return [...new Set([viewerId, ...users])].sort((a, b) => a - b);
}

function getId(found: ReadonlyMap<string, number>, sent: number | string, error: string): number {
  const id = typeof sent === "number" ? sent : found.get(sent);
  if (id === undefined) throw invalidNarrow(error);
  return id;
}

function listTexts(sent: readonly (number | string)[]): string[] {
  return [...new Set(sent.filter((each) => typeof each === "string"))];
}
