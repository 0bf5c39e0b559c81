import { toAppOfRequest } from "@/lib/chat/register/create_app.ts";
import {
  bool,
  described,
  exact,
  int,
  type ParamValues,
  text,
  withDefault,
} from "@/lib/chat/organization/params/param.ts";
import { type AdmittedCaller, requireStillValid } from "@/lib/chat/people/auth/authenticate.ts";
import { cacheReads } from "@/lib/chat/messages/read/cached_reads.ts";
import { z } from "zod";
import { AppError } from "@/lib/core/errors.ts";
import { toEntry } from "@/lib/store/key.ts";
import { ResponseBytes } from "@/lib/core/response_bytes.ts";
import type { ChatApp } from "@/lib/chat/organization/app.ts";
import {
  type ChatEvent,
  COMMIT_LAG_MS,
  endedTypes,
  EVENT_LIFETIME_MS,
  eventKeys,
  isAccessChange,
} from "@/lib/chat/organization/events/model.ts";
import { idScheme, lastIdOf, type NumberedEvent, RECHECK_MS, toEventId, toStartId } from "./tail.ts";
import { badQueueError, endQueue, getQueue, type QueueHandle, touchQueue } from "./queues.ts";
import type { EventHub, Waiter } from "./hub.ts";
import { adaptEvents } from "./adapt_events.ts";
import {
  canReceive,
  isAnyRelevant,
  matchesQueue,
  matchesReceiver,
  readReceiver,
  type Receiver,
} from "./receiver.ts";

const queueId = described(exact(text()), "The `queue_id` that `POST /register` returned.");

export const eventsParams = {
  queue_id: queueId,
  last_event_id: described(
    int(),
    "The largest id of the events that the client has; at first the `last_event_id` of `POST /register`. " +
      "Events up to it are not delivered again.",
  ),
  dont_block: described(
    withDefault(bool(), false),
    "Whether to answer at once, with no events when there are none.",
  ),
};

export const deleteQueueParams = { queue_id: queueId };

export const eventsSchema = z.object({
  events: z.array(
    z.looseObject({
      id: z.int().meta({ description: "Larger than the ids of all earlier events." }),
      type: z.string().meta({ description: "`heartbeat` when there were no events for a while." }),
    }),
  ),
  queue_id: z.string(),
});

/**
 * Rows among which the first or the last commit is searched: the rows of one moment are in no particular
 * order.
 */
const ROWS_OF_A_MOMENT = 100;
/** Milliseconds for which all events are certainly still stored, whenever they were committed. */
const KEPT_MS = EVENT_LIFETIME_MS - COMMIT_LAG_MS;

/** Position at which a client resumes an earlier stream. */
export interface Resumption {
  /** Id of the last event that the client received; null when it sent something else than an id. */
  readonly id: number | null;
  /** Milliseconds since the client was up to date; null when unknown. */
  readonly awayMs: number | null;
}

/**
 * Returns an id that covers everything a reader of the organization sees from now on; later commits have
 * larger ids.
 */
export async function readPosition({ store }: Pick<ChatApp, "store">, realmId: number): Promise<number> {
  const listing = store.kv.list({ prefix: [...eventKeys.events(realmId)] }, {
    reverse: true,
    limit: ROWS_OF_A_MOMENT,
  });
  let newest = "";
  for await (const entry of listing) {
    const { versionstamp } = toEntry(entry);
    if (versionstamp > newest) newest = versionstamp;
  }
  return newest === "" ? 0 : toStartId(idScheme(store), newest);
}

/**
 * Returns the id of the event before the first one of a stream: that is the next event, or the one after the last
 * received. The start is stale where events were missed, or may have been: they are no longer stored.
 */
export async function findStreamStart(
  hub: EventHub,
  realmId: number,
  resumption: Resumption | null,
): Promise<{ from: number; isStale: boolean }> {
  const tail = hub.tail(realmId);
  await tail.settle();
  if (resumption === null) return { from: tail.head, isStale: false };
  const { id } = resumption;
  if (id === null) return { from: tail.head, isStale: true };
  if (isUnknown(hub, { id, head: tail.head })) {
    // Another server of the store may have delivered events that this one has not read yet.
    await new Promise((resolve) => setTimeout(resolve, RECHECK_MS));
    await tail.settle();
  }
  const isComplete = await hasAllSince(hub, realmId, { ...resumption, id });
  return isComplete ? { from: id, isStale: false } : { from: tail.head, isStale: true };
}

/** Whether no event has reached the id yet. An organization without recent events has forgotten all ids. */
function isUnknown({ app }: EventHub, { id, head }: { id: number; head: number }): boolean {
  return head > 0 && id > lastIdOf(idScheme(app.store), head);
}

/**
 * Requires that an id which a client acknowledges can be that of an event: no client has one of the future.
 * @throws AppError BAD_REQUEST.
 */
async function requireKnownEvent(
  hub: EventHub,
  realmId: number,
  { id, queue }: { id: number; queue: Pick<QueueHandle, "position" | "versionstamp"> },
): Promise<void> {
  const scheme = idScheme(hub.app.store);
  const tail = hub.tail(realmId);
  const isKnown = () =>
    id <= Math.max(queue.position, toStartId(scheme, queue.versionstamp), lastIdOf(scheme, tail.head));
  if (isKnown()) return;
  await tail.settle();
  if (isKnown()) return;
  // Another server of the store may have delivered events that this one has not read yet.
  await new Promise((resolve) => setTimeout(resolve, RECHECK_MS));
  await tail.settle();
  if (!isKnown()) throw new AppError("BAD_REQUEST", `Event ${id} was not in this queue`);
}

async function hasAllSince(
  hub: EventHub,
  realmId: number,
  { id, awayMs }: { id: number; awayMs: number | null },
): Promise<boolean> {
  const { head } = hub.tail(realmId);
  if (isUnknown(hub, { id, head })) return false;
  if (id === head || (awayMs !== null && awayMs < KEPT_MS)) return true;
  return id >= await readOldestId(hub.app, realmId);
}

/**
 * Returns the id of the oldest event that is certainly stored with all after it; infinity when there is none.
 */
async function readOldestId({ store, clock }: ChatApp, realmId: number): Promise<number> {
  const prefix = eventKeys.events(realmId);
  const range = { prefix: [...prefix], start: [...prefix, clock.now() - KEPT_MS] };
  let oldest = Infinity;
  for await (const entry of store.kv.list(range, { limit: ROWS_OF_A_MOMENT })) {
    oldest = Math.min(oldest, toEventId(idScheme(store), toEntry(entry).versionstamp, 0));
  }
  return oldest;
}

/** Maximum number of events in one response; the next one brings more. */
const MAX_PER_RESPONSE = 500;
/** Events that are adapted in parallel; a response exceeds its bytes by these at most. */
const PARALLEL = 20;
/** Number of pending events above which a queue ends, so that its client registers again. */
export const MAX_BEHIND = 10_000;

type DeliveredEvent = ChatEvent & { readonly id: number };

/**
 * Returns the events of a queue after those that its client has: at once when there are any, else as soon as
 * there are, or a heartbeat after a while without any. Returns none when the server stops, another request
 * polls the queue, or `client` is aborted because the client disconnected.
 * @throws AppError BAD_EVENT_QUEUE_ID, BAD_REQUEST for an id of the future, UNAVAILABLE or RATE_LIMIT_HIT when too many
 * requests wait, and as `requireStillValid` when the caller's credentials end meanwhile.
 */
export async function retrieveEvents(
  hub: EventHub,
  { owner, client }: { owner: AdmittedCaller; client: AbortSignal },
  { queue_id, last_event_id, dont_block }: ParamValues<typeof eventsParams>,
): Promise<{ events: readonly DeliveredEvent[]; queue_id: string }> {
  const queue = await getQueue(hub.app, owner, queue_id);
  const { realm: { id: realmId }, user: { id: userId } } = owner;
  await requireKnownEvent(hub, realmId, { id: last_event_id, queue });
  using waiter = hub.enter({ realmId, userId, queueId: queue_id, client });
  const poll = { hub, owner, waiter, acknowledged: Math.max(queue.position, last_event_id) };
  const pause = dont_block ? null : hub.pause(queue_id);
  if (pause !== null) await pause;
  const result = await pollOnce(poll, { queue, from: poll.acknowledged });
  const isOver = dont_block || result.events.length > 0;
  const events = isOver ? result.events : await waitForEvents(poll, result);
  return { events, queue_id };
}

/** A request for events in progress. */
interface Poll {
  readonly hub: EventHub;
  readonly owner: AdmittedCaller;
  readonly waiter: Waiter;
  /** Id of the last event that the client has. */
  readonly acknowledged: number;
}

/** Events found for a queue, and the queue as it is after the poll was recorded. */
interface PollResult extends FoundEvents {
  readonly queue: QueueHandle;
}

async function waitForEvents(poll: Poll, first: PollResult): Promise<readonly DeliveredEvent[]> {
  const { hub, owner, waiter: { signal } } = poll;
  let result = first;
  while (result.events.length === 0 && !signal.aborted) {
    await hub.tail(owner.realm.id).wait(result.lastId, signal);
    result = await pollOnce(poll, { queue: result.queue, from: result.lastId });
  }
  if (result.events.length > 0 || signal.reason !== "nothing happened") return result.events;
  await requireStillValid(hub.app, owner);
  // Clients continue from the id of a heartbeat, so it has that of the last event examined.
  return [{ type: "heartbeat", id: result.lastId }];
}

async function pollOnce(
  { hub, owner, acknowledged }: Poll,
  { queue, from }: { queue: QueueHandle; from: number },
): Promise<PollResult> {
  const found = await findEvents(hub, owner, { queue, from });
  const { deliveredUntil } = found;
  const touched = await touchQueue(hub.app, owner, { queue, position: acknowledged, deliveredUntil });
  return { ...found, queue: touched };
}

export interface FoundEvents {
  readonly events: readonly DeliveredEvent[];
  /** Id of the last event that was examined. */
  readonly lastId: number;
  /** Time before which every event was delivered, in milliseconds since 1970 UTC. */
  readonly deliveredUntil: number;
}

/**
 * Returns the events of a queue after one of them.
 * @throws AppError BAD_EVENT_QUEUE_ID when there are too many, or when an event ends the queue, and as
 * `requireStillValid`.
 */
export async function findEvents(
  hub: EventHub,
  owner: AdmittedCaller,
  { queue, from }: { queue: Pick<QueueHandle, "id" | "record">; from: number },
): Promise<FoundEvents> {
  const { app } = hub;
  const tail = hub.tail(owner.realm.id);
  const now = app.clock.now();
  await tail.settle();
  const pending = await tail.after(from);
  const nothing = { events: [], lastId: pending.at(-1)?.id ?? from, deliveredUntil: now };
  const matching = pending.map(({ stored }) => stored).filter((stored) => matchesQueue(queue.record, stored));
  // Created after the events were read, so that what decides on them is never older.
  await app.readOrganization(owner.realm.id);
  const cached = cacheReads(toAppOfRequest(app, owner.realm.id));
  // Most events do not concern most waiting clients; the account is not even read for those.
  const isConcerned = pending.some(({ stored }) => isAccessChange(stored, owner.user.id)) ||
    await isAnyRelevant(cached, { realmId: owner.realm.id, queue: queue.record }, matching);
  if (!isConcerned) return nothing;
  const receiver = await readReceiver(cached, owner, { queue, pending });
  const candidates = pending.filter(({ stored }) => matchesReceiver(receiver, stored));
  const isEnded = candidates.some(({ stored }) => endedTypes(stored) !== undefined);
  if (isEnded || candidates.length > MAX_BEHIND) {
    await endQueue(app, owner, queue.id);
    throw badQueueError(queue.id);
  }
  const { events, lastId } = await adaptFirst(receiver, candidates);
  const first = candidates[0];
  if (first === undefined || events.length === 0) return nothing;
  return { events, lastId, deliveredUntil: Math.min(now, first.at) };
}

/**
 * Adapts the first of the candidates, up to the limit of a response; events that share an id stay together.
 */
async function adaptFirst(
  receiver: Receiver,
  candidates: readonly NumberedEvent[],
): Promise<Pick<FoundEvents, "events" | "lastId">> {
  const events: DeliveredEvent[] = [];
  const bytes = new ResponseBytes();
  let lastId = 0;
  for (let start = 0; start < candidates.length && events.length < MAX_PER_RESPONSE && !bytes.isExceeded;) {
    let end = Math.min(start + PARALLEL, candidates.length);
    while (end < candidates.length && candidates[end]?.id === candidates[end - 1]?.id) end++;
    const batch = candidates.slice(start, end);
    const once = await withoutRepeated(receiver, batch, candidates[end]);
    const adapted = await adaptEvents(receiver, once.map(({ stored }) => stored));
    once.forEach(({ id }, index) => adapted[index]?.forEach((event) => events.push({ ...event, id })));
    if (end < candidates.length) { for (const event of adapted.flat()) await bytes.add(event); }
    lastId = batch.at(-1)?.id ?? lastId;
    start = end;
  }
  return { events, lastId };
}

/**
 * Leaves out events that are repeated by the next one: a move between channels is sent to both, and a receiver in both
 * channels receives the second event only.
 */
async function withoutRepeated(
  receiver: Receiver,
  batch: readonly NumberedEvent[],
  following: NumberedEvent | undefined,
): Promise<readonly NumberedEvent[]> {
  if (batch.every(({ stored }) => stored.event.type !== "update_message")) return batch;
  const areRepeated = await Promise.all(batch.map(async (event, at) => {
    const next = batch[at + 1] ?? following;
    const isRepeated = next !== undefined && event.stored.event.type === "update_message" &&
      next.id - event.id <= 1 && JSON.stringify(next.stored.event) === JSON.stringify(event.stored.event);
    return isRepeated && await canReceive(receiver, next.stored);
  }));
  return batch.filter((_, at) => areRepeated[at] === false);
}
