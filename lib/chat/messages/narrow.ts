import { AppError } from "@/lib/core/errors.ts";
import { codePointLength, splitList } from "@/lib/core/text.ts";
import { toTopic } from "./edit_topic.ts";
import { parseSearch, type SearchQuery } from "./search_words.ts";

/** The longest text to search for, in code points: it bounds what one message costs to compare. */
const MAX_SEARCH = 500;

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
const CHANNELS_OPERANDS = ["public", "web-public"] as const;
/** Which channels a term is about that names none. */
export type ChannelsOperand = typeof CHANNELS_OPERANDS[number];

/** What can be asked of a message; `C` and `U` are how channels and users are given. */
type Condition<C, U> =
  | { readonly kind: "channel"; readonly channel: C }
  | { readonly kind: "channels"; readonly which: ChannelsOperand }
  /** "" is the empty topic. */
  | { readonly kind: "topic"; readonly topic: string }
  /** Direct messages among exactly these, as soon as the reader is added. */
  | { readonly kind: "dm"; readonly users: readonly U[] }
  | { readonly kind: "dm-including"; readonly users: readonly U[] }
  | { readonly kind: "sender"; readonly user: U }
  | { readonly kind: "is"; readonly what: typeof IS_OPERANDS[number] }
  | { readonly kind: "has"; readonly what: typeof HAS_OPERANDS[number] }
  | { readonly kind: "id"; readonly id: number }
  /** Says where to look; every message satisfies it. */
  | { readonly kind: "near"; readonly id: number }
  /** The conversation that a message is in now. */
  | { readonly kind: "with"; readonly id: number }
  | { readonly kind: "search"; readonly query: SearchQuery };

type Negatable<T> = T extends unknown ? T & { readonly negated: boolean } : never;

/** A checked term as it was sent: channels by id or name, users by id or e-mail address. */
export type SentTerm = Negatable<Condition<number | string, number | string>>;
/** A checked term by ids alone; `with` is replaced by the conversation. */
export type NarrowTerm = Negatable<Exclude<Condition<number, number>, { readonly kind: "with" }>>;

/** What a term may be about: one thing, or a list. */
export type Operand = number | string | readonly (number | string)[];

/** One term as clients send it. */
export interface WireTerm {
  readonly operator: string;
  readonly operand: Operand;
  readonly negated: boolean;
}

type Reader = (operand: Operand) => Condition<number | string, number | string>;

const channel: Reader = (operand) => ({ kind: "channel", channel: one(operand) });
const channels: Reader = (operand) => ({
  kind: "channels",
  which: choose("channels", CHANNELS_OPERANDS, operand),
});
const topic: Reader = (operand) => ({ kind: "topic", topic: toTopic(String(one(operand))) });
const dm: Reader = (operand) => ({ kind: "dm", users: many(operand) });
const dmIncluding: Reader = (operand) => ({ kind: "dm-including", users: many(operand) });

/** Each operator under every name that clients give it. */
const READERS: ReadonlyMap<string, Reader> = new Map<string, Reader>([
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
  ["sender", (operand) => ({ kind: "sender", user: one(operand) })],
  ["is", (operand) => ({
    kind: "is",
    what: choose("is", IS_OPERANDS, operand === "private" ? "dm" : operand),
  })],
  ["has", (operand) => ({ kind: "has", what: choose("has", HAS_OPERANDS, operand) })],
  ["id", (operand) => ({ kind: "id", id: messageId(operand) })],
  ["near", (operand) => ({ kind: "near", id: messageId(operand) })],
  ["with", (operand) => ({ kind: "with", id: messageId(operand) })],
  ["search", (operand) => ({ kind: "search", query: search(operand) })],
]);

/**
 * The terms of a narrow, checked; a message is wanted when it satisfies all of them.
 * @throws AppError BAD_REQUEST for an unknown operator and for an operand that its operator does not take.
 */
export function parseNarrow(wire: readonly WireTerm[]): SentTerm[] {
  return wire.map(({ operator, operand, negated }) => {
    const read = READERS.get(operator);
    if (read === undefined) throw invalidNarrow("unknown operator");
    return { ...read(operand), negated };
  });
}

/** The refusal of a narrow. */
export function invalidNarrow(reason: string): AppError {
  return new AppError("BAD_REQUEST", `Invalid narrow operator: ${reason}`);
}

function one(operand: Operand): number | string {
  if (typeof operand === "object") throw invalidNarrow("operand is not one value");
  return operand;
}

function many(operand: Operand): (number | string)[] {
  if (typeof operand === "number") return [operand];
  return typeof operand === "object" ? [...operand] : splitList(operand).map((part) => toId(part) ?? part);
}

function messageId(operand: Operand): number {
  const id = typeof operand === "string" ? toId(operand) : operand;
  if (typeof id !== "number" || !Number.isSafeInteger(id) || id < 0) {
    throw invalidNarrow("Invalid message ID");
  }
  return id;
}

function toId(text: string): number | null {
  return /^\d{1,15}$/.test(text) ? Number(text) : null;
}

function search(operand: Operand): SearchQuery {
  const text = String(one(operand));
  if (codePointLength(text) <= MAX_SEARCH) return parseSearch(text);
  throw invalidNarrow(`search is too long (limit: ${MAX_SEARCH} characters)`);
}

function choose<T extends string>(operator: string, choices: readonly T[], operand: Operand): T {
  const found = choices.find((choice) => choice === operand);
  if (found !== undefined) return found;
  throw invalidNarrow(`unknown '${operator}' operand ${String(one(operand))}`);
}
