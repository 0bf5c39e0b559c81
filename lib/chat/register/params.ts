import { z } from "zod";
import {
  bool,
  boundedString,
  described,
  json,
  optional,
  type ParamValues,
  withDefault,
} from "../params/param.ts";
import { historyDays } from "../presence/params.ts";

/** Seconds after which a queue that nobody asks is gone, where the client does not say. */
export const DEFAULT_IDLE_SECONDS = 600;
/** The most seconds that a client may ask for. */
const MAX_IDLE_SECONDS = 7 * 24 * 60 * 60;
/** A queue's record must fit into the store, whatever is sent. */
const MAX_TYPES = 100;
const MAX_TERMS = 20;

/** Null stands for all, as what some clients send when they are told nothing. */
const eventTypes = json(
  z.array(boundedString({ max: 60 })).max(MAX_TYPES).nullable().transform((types) => types ?? undefined),
);
const seconds = json(z.int().min(0).max(MAX_IDLE_SECONDS));
const term = boundedString({ max: 250 });
const narrow = z.array(z.union([
  z.array(term).length(2),
  z.object({ operator: term, operand: term, negated: z.boolean().optional() }),
])).max(MAX_TERMS);

/** Parameters of a registration, all of which may be left out. */
export const registerParams = {
  event_types: described(optional(eventTypes), "Events that the queue receives; all when it is left out."),
  fetch_event_types: described(
    optional(eventTypes),
    "Events whose state the answer holds; those of `event_types` when it is left out.",
  ),
  client_capabilities: described(
    withDefault(json(z.record(boundedString({ max: 60 }), z.boolean())), {}),
    "What the client can do, each true or false, such as `include_deactivated_groups`.",
  ),
  apply_markdown: described(withDefault(bool(), false), "Whether messages come as HTML."),
  client_gravatar: described(
    optional(bool()),
    "Whether the client draws pictures for those who uploaded none; then it is told none. Accounts that do not say are " +
      "taken to do so; spectators may not.",
  ),
  slim_presence: described(
    withDefault(bool(), false),
    "Whether presence comes by user id instead of by address.",
  ),
  presence_history_limit_days: historyDays,
  all_public_streams: described(
    withDefault(bool(), false),
    "Whether messages of all public channels come. Guests may not ask for that.",
  ),
  include_subscribers: described(
    withDefault(json(z.union([z.boolean(), z.literal("partial")])), false),
    "Whether channels come with their subscribers.",
  ),
  narrow: described(
    withDefault(json(narrow), []),
    "Which messages come: pairs of an operator and an operand.",
  ),
  idle_queue_timeout: described(
    optional(seconds),
    `Seconds after which a queue that nobody asks is gone; ${DEFAULT_IDLE_SECONDS} when 0 or left out.`,
  ),
  queue_lifespan_secs: described(optional(seconds), "An older name of `idle_queue_timeout`, which wins."),
};

/** A registration as it was sent. */
export type SentRegistration = ParamValues<typeof registerParams>;
/** A registration with all that it leaves to its caller. */
export type Registration = SentRegistration & { readonly client_gravatar: boolean };
