import { z } from "zod";
import { AppError } from "@/lib/core/errors.ts";
import { lazily } from "@/lib/core/yield_to_event_loop.ts";
import { toValue } from "@/lib/store/key.ts";
import { afterCommit } from "@/lib/store/durably.ts";
import { transact } from "@/lib/store/transact.ts";
import {
  bool,
  boundedString,
  described,
  json,
  optional,
  type Param,
  type ParamValues,
  record,
  textOrJson,
  withDefault,
} from "../organization/params/param.ts";
import { historyDays } from "../people/presence/report_presence.ts";
import {
  createQueue,
  DEFAULT_IDLE_SECONDS,
  getQueue,
  listKnownCapabilities,
  type QueueHandle,
  type QueueOwner,
  removeQueue,
} from "./events/queues.ts";
import { isAnyRelevant, matchesQueue } from "./events/receiver.ts";
import type { EventHub } from "./events/hub.ts";
import type { ChatApp } from "../organization/app.ts";
import { toAppOfRequest } from "./create_app.ts";
import { SERVICE_VERSION } from "../organization/organizations/api.ts";
import { readRealmBySubdomain, type RealmRecord } from "../organization/organizations/model.ts";
import { permissionsOf } from "../organization/permissions/store.ts";
import { cacheReads } from "../messages/read/cached_reads.ts";
import { isNarrowOperator } from "../messages/narrow/terms.ts";
import { isGuest } from "../organization/users/model.ts";
import { readUser, readUserList } from "../organization/users/store.ts";
import { SPECTATOR_PARTS, STATE_PARTS } from "./parts.ts";
import { isRequested, readParts, type SpectatorContext, type StateContext, type StatePart } from "./model.ts";

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

type RegisterParams = ParamValues<typeof registerParams>;
type QueueRegistration = RegisterParams & { readonly client_gravatar: boolean };

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

/** Number of times that parts are read before an event may be in both the state and the queue. */
const MAX_READS = 5;

/** Types of parts that the frequent events change; any other event may change every part. */
const CHANGED_PARTS: Readonly<Record<string, readonly string[]>> = {
  message: ["message", "recent_private_conversations"],
  update_message: ["message", "recent_private_conversations", "starred_messages"],
  delete_message: ["message", "recent_private_conversations", "starred_messages"],
  update_message_flags: ["message", "starred_messages"],
  presence: ["presence"],
  reaction: [],
  typing: [],
};

/**
 * Reads the parts of the state as of one event, which is null when the state contains none of the new queue: parts that
 * an event changes meanwhile are read again. Where events never cease, the last of them may be in the state already.
 */
async function readCurrentState(
  hub: EventHub,
  { owner, queue, first, parts, readContext }: {
    owner: QueueOwner;
    queue: QueueHandle;
    /** Read after the queue was created. */
    first: StateContext;
    parts: readonly StatePart[];
    readContext: () => Promise<StateContext>;
  },
): Promise<{ fields: object; lastEventId: number | null }> {
  const fields = new Map<StatePart, object>();
  let position = queue.position;
  let stale = parts;
  for (let reads = 0; reads < MAX_READS && stale.length > 0; reads++) {
    const context = reads === 0 ? first : await readContext();
    await Promise.all(stale.map(async (part) => fields.set(part, await part.read(context))));
    const passed = await listPassedTypes(hub, owner, { queue, from: position });
    stale = parts.filter((part) =>
      passed.types.some((type) => CHANGED_PARTS[type]?.includes(part.type) ?? true)
    );
    // The queue returns again what a part may lack.
    if (stale.length === 0 || reads + 1 < MAX_READS) position = passed.lastId;
  }
  const ordered = parts.map((part) => fields.get(part) ?? {});
  return {
    fields: Object.assign({}, ...ordered),
    lastEventId: position === queue.position ? null : position,
  };
}

/** Returns the types of the queue's events after one of them, and the id of the last event of all. */
async function listPassedTypes(
  hub: EventHub,
  { realm }: QueueOwner,
  { queue: { record }, from }: { queue: QueueHandle; from: number },
): Promise<{ types: readonly string[]; lastId: number }> {
  const tail = hub.tail(realm.id);
  await tail.settle();
  const pending = await tail.after(from);
  const matching = pending.map(({ stored }) => stored).filter((stored) => matchesQueue(record, stored));
  const isRelevant = await isAnyRelevant(hub.app, { realmId: realm.id, queue: record }, matching);
  return {
    types: isRelevant ? [...new Set(matching.map(({ event }) => event.type))] : [],
    lastId: pending.at(-1)?.id ?? from,
  };
}

/** Seconds for which a client should wait for events. */
const LONG_POLL_SECONDS = 90;

/**
 * Creates a queue for future events and returns its id with the requested parts of the current state, and the
 * last event that the state contains.
 * @throws AppError BAD_REQUEST for a guest who requests all public channels, and for an unknown narrow operator.
 */
export async function register(
  hub: EventHub,
  { realm, user }: QueueOwner,
  params: RegisterParams,
): Promise<object> {
  if (params.all_public_streams && isGuest(user)) {
    throw new AppError("BAD_REQUEST", "User not authorized for this query");
  }
  const operators = params.narrow.map((term) => Array.isArray(term) ? term[0] ?? "" : term.operator);
  const unknown = operators.find((operator) => !isNarrowOperator(operator));
  if (unknown !== undefined) throw new AppError("BAD_REQUEST", `Operator ${unknown} not supported.`);
  const { app } = hub;
  const registration = { ...params, client_gravatar: params.client_gravatar ?? true };
  const owner = { realmId: realm.id, userId: user.id };
  const queueId = await createQueue(app, owner, registration);
  const types = listRequestedTypes(params);
  try {
    const reader = {
      owner: { realm, user },
      readContext: () => readContext(app, { realm, user }, registration),
    };
    const [queue, first] = await Promise.all([getQueue(app, reader.owner, queueId), reader.readContext()]);
    const parts = STATE_PARTS.filter((part) => isRequested(part, types));
    const { fields, lastEventId } = await readCurrentState(hub, { ...reader, queue, first, parts });
    return toResponse({ queueId, lastEventId }, fields);
  } catch (error) {
    // No client learns the id of the queue.
    await afterCommit(() =>
      transact(app.store, (tx) => Promise.resolve(removeQueue(tx, { ...owner, id: queueId })))
    );
    throw error;
  }
}

/**
 * Returns the parts of the current state that are public. Spectators have no queue: only accounts receive
 * events.
 * @throws AppError BAD_REQUEST for parameters that reveal accounts.
 */
export async function registerSpectator(
  app: ChatApp,
  realm: RealmRecord,
  params: RegisterParams,
): Promise<object> {
  if (params.client_gravatar === true) throw notForSpectators("client_gravatar");
  if (params.include_subscribers !== false) throw notForSpectators("include_subscribers");
  const capabilities = listKnownCapabilities(params.client_capabilities);
  const permissions = permissionsOf(await app.readOrganization(realm.id), app.clock);
  const context: SpectatorContext = { app, realm, permissions, capabilities };
  const none = { queueId: null, lastEventId: null };
  return toResponse(none, await readParts(SPECTATOR_PARTS, context, listRequestedTypes(params)));
}

function notForSpectators(name: string): AppError {
  return new AppError("BAD_REQUEST", `Invalid '${name}' parameter for anonymous request`);
}

function listRequestedTypes(params: RegisterParams): readonly string[] | undefined {
  return params.fetch_event_types ?? params.event_types;
}

function toResponse(
  { queueId, lastEventId }: { queueId: string | null; lastEventId: number | null },
  state: object,
): object {
  return {
    queue_id: queueId,
    last_event_id: lastEventId ?? -1,
    event_queue_longpoll_timeout_seconds: LONG_POLL_SECONDS,
    ...SERVICE_VERSION,
    ...state,
  };
}

/** Rereads the account and the organization: a change since the request was authorized is in no queue. */
async function readContext(
  currentApp: ChatApp,
  registrant: QueueOwner,
  registration: QueueRegistration,
): Promise<StateContext> {
  // Read after the queue was created, so that no change is missed.
  await currentApp.readOrganization(registrant.realm.id);
  // The parts share what several of them read.
  const app = cacheReads(toAppOfRequest(currentApp, registrant.realm.id));
  const [currentRealm, currentUser] = await Promise.all([
    readRealmBySubdomain(app, registrant.realm.subdomain),
    readUser(app, registrant.realm.id, registrant.user.id),
  ]);
  const realm = currentRealm ?? registrant.realm;
  const user = currentUser ?? registrant.user;
  const userList = lazily(() => readUserList(app, realm.id));
  const shared = new Map<unknown, Promise<unknown>>();
  const context: StateContext = {
    app,
    realm,
    user,
    permissions: permissionsOf(await app.readOrganization(realm.id), app.clock),
    capabilities: listKnownCapabilities(registration.client_capabilities),
    drawsAvatars: registration.client_gravatar,
    presence: { isSlim: registration.slim_presence, days: registration.presence_history_limit_days },
    subscribers: registration.include_subscribers,
    userList,
    users: async () => (await userList()).users,
    share: <T>(read: (context: StateContext) => Promise<T>) => {
      const reading = shared.get(read) ?? read(context);
      shared.set(read, reading);
      return toValue<Promise<T>>(reading);
    },
  };
  return context;
}
