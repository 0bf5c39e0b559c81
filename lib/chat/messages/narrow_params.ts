import { z } from "zod";
import { AppError } from "@/lib/core/errors.ts";
import {
  bool,
  boundedString,
  described,
  json,
  optional,
  type Param,
  type ParamValues,
  withDefault,
} from "../params/param.ts";
import { flagChangeParams } from "./message_flags.ts";
import type { WireTerm } from "./narrow.ts";

/** The most messages that one request gives or changes. */
export const MAX_MESSAGES = 5000;
/** What one narrow may hold: it bounds what one message costs to compare. */
const MAX_TERMS = 100;
const MAX_OPERANDS = 500;
const MAX_OPERAND = 2000;

/** From where messages are counted: the end, the beginning, the first that is not read, or an id. */
export type Anchor = "newest" | "oldest" | "first_unread" | number;

const operandText = boundedString({ max: MAX_OPERAND });
const operand = z.union([
  z.int(),
  operandText,
  z.array(z.union([z.int(), operandText])).max(MAX_OPERANDS),
]);
const term: z.ZodType<WireTerm> = z.preprocess(
  fromPair,
  z.object({ operator: operandText, operand, negated: z.boolean().default(false) }),
);

/** Older clients send a pair; whatever else is sent is for the schema to refuse. */
function fromPair(sent: unknown): unknown {
  return Array.isArray(sent) && sent.length === 2 ? { operator: sent[0], operand: sent[1] } : sent;
}

const anchor = z.string().regex(/^(newest|oldest|first_unread|-?\d+)$/).transform(toAnchor);

/** Ids beyond those of messages mean the nearest end, so they are held to the numbers that are exact. */
function toAnchor(text: string): Anchor {
  if (text === "newest" || text === "oldest" || text === "first_unread") return text;
  return Math.min(Math.max(Number(text), 0), Number.MAX_SAFE_INTEGER);
}

function anchorParam(): Param<Anchor> {
  return { encoding: "text", schema: anchor, fallback: undefined, description: undefined };
}

const count = () => json(z.int().nonnegative());

const windowParams = {
  include_anchor: described(withDefault(bool(), true), "Whether the anchor's own message is among them."),
  narrow: described(
    withDefault(json(z.array(term).max(MAX_TERMS)), []),
    "Which messages: objects of `operator`, `operand` and `negated`, or pairs of an operator and an operand.",
  ),
};
const ANCHOR = "A message's id, `newest`, `oldest` or `first_unread`.";
const BEFORE = `Messages before the anchor; with those after it ${MAX_MESSAGES} at most.`;
const AFTER = "Messages after the anchor.";

/** Parameters of a request for many messages. */
export const fetchMessagesParams = {
  anchor: described(optional(anchorParam()), ANCHOR),
  num_before: described(optional(count()), BEFORE),
  num_after: described(optional(count()), AFTER),
  ...windowParams,
  message_ids: described(
    optional(json(z.array(z.int()).max(MAX_MESSAGES))),
    "The ids of the messages, instead of an anchor and counts.",
  ),
  client_gravatar: described(
    withDefault(bool(), true),
    "Whether the client draws pictures for those who uploaded none; then it is told none.",
  ),
  apply_markdown: described(withDefault(bool(), true), "Whether messages come as HTML."),
  allow_empty_topic_name: described(
    withDefault(bool(), false),
    "Whether the empty topic comes as it is, instead of by its display name.",
  ),
};

/** Parameters of a change of a flag of all messages that a narrow gives. */
export const changeFlagsByNarrowParams = {
  anchor: described(anchorParam(), ANCHOR),
  num_before: described(count(), BEFORE),
  num_after: described(count(), AFTER),
  ...windowParams,
  ...flagChangeParams,
};

/** Parameters of the question which of some messages a narrow gives. */
export const matchNarrowParams = {
  msg_ids: described(json(z.array(z.int()).max(MAX_MESSAGES)), "The messages, by their ids."),
  narrow: windowParams.narrow,
};

/** Some messages around an anchor. */
export interface MessageWindow {
  readonly kind: "window";
  readonly anchor: Anchor;
  readonly numBefore: number;
  readonly numAfter: number;
  readonly includesAnchor: boolean;
}

/** Which messages are asked for: those of some ids, or those around an anchor. */
export type FetchScope = { readonly kind: "ids"; readonly ids: readonly number[] } | MessageWindow;

/** What says where a window lies, as it was sent. */
type SentWindow = Pick<
  ParamValues<typeof changeFlagsByNarrowParams>,
  "anchor" | "num_before" | "num_after" | "include_anchor"
>;

/**
 * The messages that a request for many asks for.
 * @throws AppError REQUEST_VARIABLE_MISSING without an anchor and ids; BAD_REQUEST with both, and for too many.
 */
export function toFetchScope(sent: ParamValues<typeof fetchMessagesParams>): FetchScope {
  const { anchor, num_before, num_after, message_ids, include_anchor } = sent;
  if (message_ids !== undefined) {
    const beside = Object.entries({ num_before, num_after, anchor }).filter(([, value]) =>
      value !== undefined
    );
    if (beside.length > 0) throw unsupported(["message_ids", ...beside.map(([name]) => name)]);
    return { kind: "ids", ids: [...new Set(message_ids)] };
  }
  if (anchor === undefined) {
    throw new AppError("REQUEST_VARIABLE_MISSING", "Missing 'anchor' argument", {
      extra: { var_name: "anchor" },
    });
  }
  return toWindow({ anchor, num_before: num_before ?? 0, num_after: num_after ?? 0, include_anchor });
}

/**
 * A window, checked.
 * @throws AppError BAD_REQUEST for more than MAX_MESSAGES messages.
 */
export function toWindow({ anchor, num_before, num_after, include_anchor }: SentWindow): MessageWindow {
  if (num_before + num_after > MAX_MESSAGES) {
    throw new AppError("BAD_REQUEST", `Too many messages requested (maximum ${MAX_MESSAGES}).`);
  }
  return {
    kind: "window",
    anchor,
    numBefore: num_before,
    numAfter: num_after,
    includesAnchor: include_anchor,
  };
}

function unsupported(names: readonly string[]): AppError {
  const parameters = names.join(", ");
  return new AppError("BAD_REQUEST", `Unsupported parameter combination: ${parameters}`, {
    extra: { parameters },
  });
}
