import { z } from "zod";
import {
  bool,
  boundedString,
  described,
  json,
  optional,
  type Param,
  type ParamValues,
  textOrJson,
  withDefault,
} from "@/lib/chat/params/param.ts";
import { record } from "@/lib/chat/params/record.ts";
import { historyDays } from "@/lib/chat/presence/report_presence.ts";
import { DEFAULT_IDLE_SECONDS } from "../queues/model.ts";
import { STATE_PARTS } from "./parts.ts";

/** Maximum idle timeout of a queue, in seconds. */
const MAX_IDLE_SECONDS = 7 * 24 * 60 * 60;
/** Idle timeout of a queue of a mobile client, which is suspended for hours, in seconds. */
const MOBILE_IDLE_SECONDS = 12 * 60 * 60;
/** Limits of lists, so that the record of a queue fits into the store. */
const MAX_TYPES = 100;
const MAX_TERMS = 20;

/** Null, which some clients send by default, means every type. */
const eventTypes = json(
  z.array(boundedString({ max: 60 })).max(MAX_TYPES).nullable().transform((types) => types ?? undefined),
);

/** Defines an idle timeout in seconds; any value that is not one becomes 0, which means the default. */
function idleTimeout(): Param<number> {
  const sent = z.union([z.int().min(0), z.literal("mobile")]).catch(0);
  return textOrJson(
    sent.transform((value) => value === "mobile" ? MOBILE_IDLE_SECONDS : Math.min(value, MAX_IDLE_SECONDS)),
  );
}

/** The words `true` and `false` as booleans. */
const subscribers = z.preprocess(
  (sent) => sent === "true" || sent === "false" ? sent === "true" : sent,
  z.union([z.boolean(), z.literal("partial")]),
);
const term = boundedString({ max: 250 });
const narrow = z.array(z.union([
  z.array(term).length(2),
  z.object({ operator: term, operand: term, negated: z.boolean().optional() }),
])).max(MAX_TERMS);

/** Parameters of a registration, all of them optional. */
export const registerParams = {
  event_types: described(optional(eventTypes), "Types of events that the queue receives; all by default."),
  fetch_event_types: described(
    optional(eventTypes),
    "Types of events whose state the response contains; those of `event_types` by default.",
  ),
  client_capabilities: described(
    withDefault(json(record(z.boolean(), { maxKey: 60 })), {}),
    "Features of the client, each true or false, such as `include_deactivated_groups`.",
  ),
  apply_markdown: described(withDefault(bool(), false), "Whether message content is rendered as HTML."),
  client_gravatar: described(
    optional(bool()),
    "Whether the client computes the avatars of users who uploaded none; their `avatar_url` is null then. " +
      "True by default; spectators may not set it to true.",
  ),
  slim_presence: described(
    withDefault(bool(), false),
    "Whether presence is keyed by user id instead of by email address.",
  ),
  presence_history_limit_days: historyDays,
  all_public_streams: described(
    withDefault(bool(), false),
    "Whether the queue receives the messages of all public channels. Not available to guests.",
  ),
  include_subscribers: described(
    withDefault(textOrJson(subscribers), false),
    "Whether channels include their subscribers: `true`, `false` or `partial`.",
  ),
  narrow: described(
    withDefault(json(narrow), []),
    "Terms that messages have to match: pairs of an operator and an operand.",
  ),
  idle_queue_timeout: described(
    optional(idleTimeout()),
    `Seconds after which a queue that is not polled expires, at most ${MAX_IDLE_SECONDS}; \`mobile\` means ` +
      `${MOBILE_IDLE_SECONDS}, and any other value ${DEFAULT_IDLE_SECONDS}.`,
  ),
  queue_lifespan_secs: described(
    optional(idleTimeout()),
    "Older name of `idle_queue_timeout`, which takes precedence.",
  ),
};

/** Parameters of a registration as they were sent. */
export type RegisterParams = ParamValues<typeof registerParams>;
/** Parameters of a registration with the defaults for accounts filled in. */
export type QueueRegistration = RegisterParams & { readonly client_gravatar: boolean };

/** Response to a registration: fields that every client receives, and those of the requested parts. */
export const registerSchema = z.object({
  queue_id: z.string().nullable().meta({ description: "Null for spectators, who have no queue." }),
  last_event_id: z.int().meta({
    description:
      "The `last_event_id` of the first request for events: the last event that the state contains, " +
      "or -1 when it contains none of the queue.",
  }),
  event_queue_longpoll_timeout_seconds: z.int(),
  service_feature_level: z.int(),
  service_version: z.string(),
  service_merge_base: z.string(),
}).extend(
  z.object(Object.fromEntries(STATE_PARTS.flatMap(({ fields }) => Object.entries(fields)))).partial().shape,
);
