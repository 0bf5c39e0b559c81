import { AppError } from "@/lib/core/errors.ts";
import type { SearchQuery } from "./search_words.ts";

/** Operands of `is` terms. */
export const IS_OPERANDS = [
  "starred",
  "mentioned",
  "alerted",
  "unread",
  "dm",
  "resolved",
  "followed",
  "muted",
] as const;

/** Operands of `has` terms. */
export const HAS_OPERANDS = ["link", "image", "attachment", "reaction"] as const;

/** Operands of `in` terms: messages outside of muted topics and channels, and all messages. */
export const IN_OPERANDS = ["home", "all"] as const;

/** Operands of `channels` terms. */
export const CHANNELS_OPERANDS = ["public", "web-public"] as const;
/** Kind of channels that a `channels` term selects. */
export type ChannelsOperand = typeof CHANNELS_OPERANDS[number];

/** A condition on messages; `C` and `U` are the types of channel and user references. */
export type Condition<C, U> =
  | { readonly kind: "channel"; readonly channel: C }
  | { readonly kind: "channels"; readonly which: ChannelsOperand }
  /** Empty for general chat. */
  | { readonly kind: "topic"; readonly topic: string }
  /** Direct messages among exactly these users and the viewer. */
  | { readonly kind: "dm"; readonly users: readonly U[] }
  | { readonly kind: "dm-including"; readonly users: readonly U[] }
  | { readonly kind: "sender"; readonly user: U }
  /** Messages that mention a user by name. */
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

/** A term as clients send it. */
export interface WireTerm {
  readonly operator: string;
  readonly operand: Operand;
  readonly negated: boolean;
}

/** Returns the searches that messages of a narrow have to match. */
export function listSearches(terms: readonly NarrowTerm[]): readonly SearchQuery[] {
  return terms.flatMap((term) => term.kind === "search" && !term.negated ? [term.query] : []);
}

/** Creates the error of an invalid narrow. */
export function invalidNarrow(reason: string): AppError {
  return new AppError("BAD_NARROW", `Invalid narrow operator: ${reason}`, { extra: { desc: reason } });
}
