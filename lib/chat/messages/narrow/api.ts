import { z } from "zod";
import { AppError } from "@/lib/core/errors.ts";
import {
  bool,
  boundedString,
  described,
  json,
  matching,
  optional,
  type ParamValues,
  scalar,
  withDefault,
} from "@/lib/chat/organization/params/param.ts";
import { flagChangeParams, ignoredChannelsShape } from "../flags.ts";
import type { WireTerm } from "./terms.ts";

/** Maximum number of messages that one request returns or changes. */
const MAX_MESSAGES_PER_REQUEST = 5000;
/** Limits of a narrow, which bound the cost of checking one message. */
const MAX_TERMS = 100;
const MAX_OPERANDS = 500;
const MAX_OPERAND = 2000;

/** Anchor of the newest end in responses, which clients compare with; greater than every message id. */
export const LARGEST_ANCHOR = 10_000_000_000_000_000;

/** Position that messages are counted from: an end, the first unread message or an id. */
type Anchor = "newest" | "oldest" | "first_unread" | number;
/** The first message that was sent at a time or later, in milliseconds since 1970 UTC. */
interface DateAnchor {
  readonly sentSince: number;
}

const operandText = boundedString({ max: MAX_OPERAND });
const operand = z.union([
  z.int(),
  operandText,
  z.array(z.union([z.int(), operandText])).max(MAX_OPERANDS),
]);
const term: z.ZodType<WireTerm> = z.preprocess(
  // Older clients send pairs.
  (sent) => Array.isArray(sent) && sent.length === 2 ? { operator: sent[0], operand: sent[1] } : sent,
  z.object({ operator: operandText, operand, negated: z.boolean().default(false) }),
);

/** Ids beyond those of messages are clamped to safe integers and mean the nearest end. */
const anchor = z.string().regex(/^(newest|oldest|first_unread|-?\d+)$/).transform((text): Anchor => {
  if (text === "newest" || text === "oldest" || text === "first_unread") return text;
  return Math.min(Math.max(Number(text), 0), Number.MAX_SAFE_INTEGER);
});

const anchorOrDate = z.union([anchor, z.literal("date")]);
const isoTime = z.iso.datetime({ offset: true }).or(z.iso.date());

const count = () => scalar(z.int().nonnegative());

const windowParams = {
  include_anchor: described(withDefault(bool(), true), "Whether to include the message of the anchor."),
  narrow: described(
    withDefault(json(z.array(term).max(MAX_TERMS)), []),
    "Filter terms: objects with `operator`, `operand` and `negated`, or pairs of operator and operand.",
  ),
};
const ANCHOR =
  "A message id, `newest`, `oldest` or `first_unread`, the oldest unread message outside of muted topics.";
const BEFORE =
  `Number of messages before the anchor; at most ${MAX_MESSAGES_PER_REQUEST} including those after it.`;
const AFTER = "Number of messages after the anchor.";

export const fetchMessagesParams = {
  anchor: described(
    optional(matching(anchorOrDate)),
    `${ANCHOR} With \`date\`, the first message that was sent at \`anchor_date\` or later.`,
  ),
  anchor_date: described(
    optional(matching(isoTime)),
    "Time in ISO 8601, in UTC or with an offset, for the anchor `date`.",
  ),
  use_first_unread_anchor: described(
    withDefault(bool(), false),
    "Older form of the anchor `first_unread`; takes precedence over `anchor`.",
  ),
  num_before: described(optional(count()), BEFORE),
  num_after: described(optional(count()), AFTER),
  ...windowParams,
  message_ids: described(
    optional(json(z.array(z.int()).max(MAX_MESSAGES_PER_REQUEST))),
    "Message ids, instead of an anchor and counts.",
  ),
  client_gravatar: described(
    withDefault(bool(), true),
    "Whether the client computes avatars of users who uploaded none. The avatar URL is then null.",
  ),
  apply_markdown: described(withDefault(bool(), true), "Whether content is HTML rather than Markdown."),
  allow_empty_topic_name: described(
    withDefault(bool(), false),
    "Whether general chat is returned as an empty topic name.",
  ),
};

export const changeFlagsByNarrowParams = {
  anchor: described(matching(anchor), ANCHOR),
  num_before: described(count(), BEFORE),
  num_after: described(count(), AFTER),
  ...windowParams,
  ...flagChangeParams,
};

export const matchesNarrowParams = {
  msg_ids: described(json(z.array(z.int()).max(MAX_MESSAGES_PER_REQUEST)), "Message ids."),
  narrow: windowParams.narrow,
};

/** A range of messages around an anchor. */
export interface MessageWindow {
  readonly kind: "window";
  readonly anchor: Anchor | DateAnchor;
  readonly numBefore: number;
  readonly numAfter: number;
  readonly includesAnchor: boolean;
}

/**
 * Parses the messages that a request asks for.
 * @throws AppError REQUEST_VARIABLE_MISSING without an anchor and ids; BAD_REQUEST with both, and for too
 * many messages.
 */
export function parseFetchScope(
  sent: ParamValues<typeof fetchMessagesParams>,
): { readonly kind: "ids"; readonly ids: readonly number[] } | MessageWindow {
  const { num_before, num_after, message_ids, include_anchor } = sent;
  const anchor = sent.use_first_unread_anchor ? "first_unread" : toSentAnchor(sent);
  if (message_ids !== undefined) {
    const conflicting = Object.entries({ num_before, num_after, anchor: sent.anchor }).filter(([, value]) =>
      value !== undefined
    );
    if (conflicting.length > 0) {
      const parameters = ["message_ids", ...conflicting.map(([name]) => name)].join(", ");
      throw new AppError("BAD_REQUEST", `Unsupported parameter combination: ${parameters}`, {
        extra: { parameters },
      });
    }
    return { kind: "ids", ids: [...new Set(message_ids)] };
  }
  if (anchor === undefined) throw missing("anchor");
  return toMessageWindow({ anchor, num_before: num_before ?? 0, num_after: num_after ?? 0, include_anchor });
}

function toSentAnchor(
  { anchor, anchor_date }: Pick<ParamValues<typeof fetchMessagesParams>, "anchor" | "anchor_date">,
): Anchor | DateAnchor | undefined {
  if (anchor !== "date") return anchor;
  if (anchor_date === undefined) throw missing("anchor_date");
  return { sentSince: Date.parse(anchor_date) };
}

function missing(name: string): AppError {
  return new AppError("REQUEST_VARIABLE_MISSING", `Missing '${name}' argument`, {
    extra: { var_name: name },
  });
}

/** @throws AppError BAD_REQUEST for more than MAX_MESSAGES_PER_REQUEST messages. */
export function toMessageWindow(
  { anchor, num_before, num_after, include_anchor }: {
    anchor: Anchor | DateAnchor;
    num_before: number;
    num_after: number;
    include_anchor: boolean;
  },
): MessageWindow {
  if (num_before + num_after > MAX_MESSAGES_PER_REQUEST) {
    throw new AppError("BAD_REQUEST", `Too many messages requested (maximum ${MAX_MESSAGES_PER_REQUEST}).`);
  }
  return {
    kind: "window",
    anchor,
    numBefore: num_before,
    numAfter: num_after,
    includesAnchor: include_anchor,
  };
}

export const changedFlagsByNarrowSchema = z.object({
  processed_count: z.int(),
  updated_count: z.int(),
  first_processed_id: z.int().nullable(),
  last_processed_id: z.int().nullable(),
  found_oldest: z.boolean(),
  found_newest: z.boolean(),
  ...ignoredChannelsShape,
});

export const narrowMatchesSchema = z.object({
  messages: z.record(z.string(), z.object({ match_content: z.string(), match_subject: z.string() }))
    .meta({ description: "Matching messages by id; content and topic as HTML." }),
});
