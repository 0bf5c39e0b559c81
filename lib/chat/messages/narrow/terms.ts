import { AppError } from "@/lib/core/errors.ts";
import { codePointLength, splitList } from "@/lib/core/text.ts";
import { normalizeTopic } from "@/lib/chat/channels/topics/model.ts";
import { notLoggedIn } from "@/lib/chat/organization/users/model.ts";
import { parseSearch, type SearchQuery } from "./search_words.ts";

const IS_OPERANDS = [
  "starred",
  "mentioned",
  "alerted",
  "unread",
  "dm",
  "resolved",
  "followed",
  "muted",
] as const;

const HAS_OPERANDS = ["link", "image", "attachment", "reaction"] as const;

/** Operands of `in` terms: messages outside of muted topics and channels, and all messages. */
const IN_OPERANDS = ["home", "all"] as const;

const CHANNELS_OPERANDS = ["public", "web-public"] as const;
/** Kind of channels that a `channels` term selects. */
export type ChannelsOperand = typeof CHANNELS_OPERANDS[number];

/** A condition on messages; `C` and `U` are the types of channel and user references. */
type Condition<C, U> =
  | { readonly kind: "channel"; readonly channel: C }
  | { readonly kind: "channels"; readonly which: ChannelsOperand }
  /** Empty for general chat. */
  | { readonly kind: "topic"; readonly topic: string }
  /** Direct messages among exactly these users and the viewer. */
  | { readonly kind: "dm"; readonly users: readonly U[] }
  | { readonly kind: "dm-including"; readonly users: readonly U[] }
  | { readonly kind: "sender"; readonly user: U }
  | { readonly kind: "mentions"; readonly user: U }
  | { readonly kind: "in"; readonly what: typeof IN_OPERANDS[number] }
  | { readonly kind: "is"; readonly what: typeof IS_OPERANDS[number] }
  | { readonly kind: "has"; readonly what: typeof HAS_OPERANDS[number] }
  | { readonly kind: "id"; readonly id: number }
  /** Sets the anchor; every message satisfies it. */
  | { readonly kind: "near"; readonly id: number }
  /** Selects the conversation that now holds a message. */
  | { readonly kind: "with"; readonly id: number }
  | { readonly kind: "search"; readonly query: SearchQuery };

type Negatable<T> = T extends unknown ? T & { readonly negated: boolean } : never;

/** A validated term with channels by id or name and users by id or email address. */
export type UnresolvedTerm = Negatable<Condition<number | string, number | string>>;
/** A validated term with ids only; `with` is replaced by its conversation. */
export type NarrowTerm = Negatable<Exclude<Condition<number, number>, { readonly kind: "with" }>>;

/** Operand of a term: one value or a list. */
export type Operand = number | string | readonly (number | string)[];

export interface WireTerm {
  readonly operator: string;
  readonly operand: Operand;
  readonly negated: boolean;
}

/** Returns the searches that messages of a narrow have to match. */
export function listSearches(terms: readonly NarrowTerm[]): readonly SearchQuery[] {
  return terms.flatMap((term) => term.kind === "search" && !term.negated ? [term.query] : []);
}

function invalidNarrow(reason: string): AppError {
  return new AppError("BAD_NARROW", `Invalid narrow operator: ${reason}`, { extra: { desc: reason } });
}

/** Maximum length of a search text, in code points; bounds the cost of matching one message. */
const MAX_SEARCH = 500;

type OperandParser = (operand: Operand) => Condition<number | string, number | string>;

const channel: OperandParser = (operand) => ({ kind: "channel", channel: parseSingle(operand) });
const channels: OperandParser = (operand) => ({
  kind: "channels",
  which: parseChoice("channels", CHANNELS_OPERANDS, operand),
});
const topic: OperandParser = (operand) => ({
  kind: "topic",
  topic: normalizeTopic(String(parseSingle(operand))),
});
const dm: OperandParser = (operand) => ({ kind: "dm", users: parseList(operand) });
const dmIncluding: OperandParser = (operand) => ({ kind: "dm-including", users: parseList(operand) });

/** Parsers by operator, including aliases. */
const OPERAND_PARSERS: ReadonlyMap<string, OperandParser> = new Map<string, OperandParser>([
  ["channel", channel],
  ["stream", channel],
  ["channels", channels],
  ["streams", channels],
  ["topic", topic],
  ["subject", topic],
  ["dm", dm],
  ["pm-with", dm],
  ["dm-including", dmIncluding],
  ["group-pm-with", dmIncluding],
  ["sender", (operand) => ({ kind: "sender", user: parseSingle(operand) })],
  ["mentions", (operand) => ({ kind: "mentions", user: parseSingle(operand) })],
  ["in", (operand) => ({ kind: "in", what: parseChoice("in", IN_OPERANDS, operand) })],
  ["is", (operand) => ({
    kind: "is",
    what: parseChoice("is", IS_OPERANDS, operand === "private" ? "dm" : operand),
  })],
  ["has", (operand) => ({ kind: "has", what: parseChoice("has", HAS_OPERANDS, operand) })],
  ["id", (operand) => ({ kind: "id", id: parseMessageId(operand) })],
  ["near", (operand) => ({ kind: "near", id: parseMessageId(operand) })],
  ["with", (operand) => ({ kind: "with", id: parseMessageId(operand) })],
  ["search", (operand) => {
    const text = String(parseSingle(operand));
    if (codePointLength(text) <= MAX_SEARCH) return { kind: "search", query: parseSearch(text) };
    throw invalidNarrow(`search is too long (limit: ${MAX_SEARCH} characters)`);
  }],
]);

export function isNarrowOperator(operator: string): boolean {
  return OPERAND_PARSERS.has(operator);
}

/**
 * Parses the terms of a narrow, all of which a message must satisfy.
 * @throws AppError BAD_REQUEST for an unknown operator or an invalid operand.
 */
export function parseNarrow(wire: readonly WireTerm[]): UnresolvedTerm[] {
  return wire.map(({ operator, operand, negated }) => {
    const parse = OPERAND_PARSERS.get(operator);
    if (parse === undefined) throw invalidNarrow("unknown operator");
    return { ...parse(operand), negated };
  });
}

function parseSingle(operand: Operand): number | string {
  if (typeof operand === "object") throw invalidNarrow("operand is not one value");
  return operand;
}

function parseList(operand: Operand): (number | string)[] {
  if (typeof operand === "number") return [operand];
  return typeof operand === "object" ? [...operand] : splitList(operand).map((part) => parseId(part) ?? part);
}

function parseMessageId(operand: Operand): number {
  const id = typeof operand === "string" ? parseId(operand) : operand;
  if (typeof id !== "number" || !Number.isSafeInteger(id) || id < 0) {
    throw invalidNarrow("Invalid message ID");
  }
  return id;
}

function parseId(text: string): number | null {
  return /^\d{1,15}$/.test(text) ? Number(text) : null;
}

function parseChoice<T extends string>(operator: string, choices: readonly T[], operand: Operand): T {
  const found = choices.find((choice) => choice === operand);
  if (found !== undefined) return found;
  throw invalidNarrow(`unknown '${operator}' operand ${String(parseSingle(operand))}`);
}

/** A topic of a channel, or the participants of a direct-message conversation, ascending. */
export type ConversationRef =
  | { readonly channelId: number; readonly topic: string }
  | { readonly participants: readonly number[] };

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
 * Collects the names to look up, each once and as sent; `withId` is the message of the `with` term.
 * @throws AppError BAD_REQUEST for more than one `with` term or a negated one.
 */
export function collectNames(terms: readonly UnresolvedTerm[]) {
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
    case "dm": {
      const { viewerId } = found;
      const users = term.users.map(user);
      // An empty list stays empty because it names no conversation.
      const isNone = users.length === 0 || viewerId === null;
      return { ...term, users: isNone ? [] : [...new Set([viewerId, ...users])].sort((a, b) => a - b) };
    }
    case "dm-including":
      return { ...term, users: term.users.map(user) };
    default:
      return term;
  }
}

function getId(found: ReadonlyMap<string, number>, sent: number | string, error: string): number {
  const id = typeof sent === "number" ? sent : found.get(sent);
  if (id === undefined) throw invalidNarrow(error);
  return id;
}

function listTexts(sent: readonly (number | string)[]): string[] {
  return [...new Set(sent.filter((each) => typeof each === "string"))];
}

/** Operators that spectators can use; all others depend on an account. */
const SPECTATOR_OPERATORS: readonly string[] = [
  "channel",
  "stream",
  "channels",
  "streams",
  "topic",
  "subject",
  "sender",
  "has",
  "search",
  "near",
  "id",
  "with",
];

/**
 * Requires that a narrow is limited to web-public channels and does not depend on an account. A client that
 * lost its credentials thereby gets an error instead of an incomplete result.
 * @throws AppError UNAUTHORIZED.
 */
export function requireWebPublicNarrow(terms: readonly WireTerm[]): void {
  const isWebPublic = terms.some(({ operator, operand, negated }) =>
    ["channels", "streams"].includes(operator) && operand === "web-public" && !negated
  );
  const isAllowed = terms.every(({ operator, operand }) =>
    operator === "is"
      ? operand === "resolved"
      : SPECTATOR_OPERATORS.includes(operator) && !(operator === "sender" && operand === "me")
  );
  if (!isWebPublic || !isAllowed) throw notLoggedIn();
}
