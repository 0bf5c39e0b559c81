import { transact } from "@/lib/kv/transact.ts";
import type { ChatEvent } from "../events/emit.ts";
import { endedTypes } from "../events/tell_together.ts";
import type { ParamValues } from "../params/param.ts";
import { removeQueue } from "../register/queue.ts";
import { badQueue, getQueue, type HeldQueue, type QueueOwner, touchQueue } from "./access_queue.ts";
import { isAnyNear, isFor, mayBeFor, mayConcern } from "./audience.ts";
import type { EventHub, Waiter } from "./hub.ts";
import type { eventsParams } from "./params.ts";
import type { NumberedEvent } from "./read_events.ts";
import { readReceiver, type Receiver } from "./receiver.ts";
import { tell } from "./tell.ts";

/** The most events that one answer brings; more come with the next one. */
const MAX_AT_ONCE = 500;
/** Events that are told side by side. */
const SIDE_BY_SIDE = 50;
/** A client that is so many events behind reads everything anew. */
export const MAX_BEHIND = 10_000;

/** An event with its id, as clients receive it. */
export type ToldEvent = ChatEvent & { readonly id: number };

/**
 * The events of a queue after those that its client has: at once where there are any, else as soon as there are, or a
 * heartbeat when nothing happened for a while. None when the server stops, or the client asks in another request; `client`
 * is aborted when nobody waits for the answer any more.
 * @throws AppError BAD_EVENT_QUEUE_ID, UNAVAILABLE when too many wait.
 */
export async function retrieveEvents(
  hub: EventHub,
  { owner, client }: { owner: QueueOwner; client: AbortSignal },
  { queue_id, last_event_id, dont_block }: ParamValues<typeof eventsParams>,
): Promise<{ events: readonly ToldEvent[]; queue_id: string }> {
  const held = await getQueue(hub.app, owner, queue_id);
  const { realm: { id: realmId }, user: { id: userId } } = owner;
  using waiter = hub.enter({ realmId, userId, queueId: queue_id, client });
  const asking = { hub, owner, waiter, has: Math.max(held.position, last_event_id) };
  const pause = dont_block ? null : hub.pause(queue_id);
  if (pause !== null) await pause;
  const sight = await lookOnce(asking, { held, from: asking.has });
  const isOver = dont_block || sight.events.length > 0;
  const events = isOver ? sight.events : await waitForSome(asking, sight);
  return { events, queue_id };
}

/** One request for events on its way. */
interface Asking {
  readonly hub: EventHub;
  readonly owner: QueueOwner;
  readonly waiter: Waiter;
  /** The id of the last event that the client has. */
  readonly has: number;
}

async function waitForSome(asking: Asking, first: Sight): Promise<readonly ToldEvent[]> {
  const { hub, owner, waiter: { signal } } = asking;
  let sight = first;
  while (sight.events.length === 0 && !signal.aborted) {
    await hub.tail(owner.realm.id).wait(sight.to, signal);
    sight = await lookOnce(asking, { held: sight.held, from: sight.to });
  }
  if (sight.events.length > 0 || signal.reason !== "nothing happened") return sight.events;
  // Clients go on from a heartbeat's id: what it stands for was looked through.
  return [{ type: "heartbeat", id: sight.to }];
}

async function lookOnce(
  { hub, owner, has }: Asking,
  { held, from }: { held: HeldQueue; from: number },
): Promise<Sight> {
  const found = await lookFor(hub, owner, { held, from });
  const touched = await touchQueue(hub.app, owner, { held, position: has, toldAt: found.toldAt });
  return { ...found, held: touched };
}

/** What there is for a client. */
interface Sight extends Found {
  readonly held: HeldQueue;
}

/** What was found when events were looked for. */
export interface Found {
  readonly events: readonly ToldEvent[];
  /** The id of the last event that was looked at. */
  readonly to: number;
  /** What happened before was told already, in milliseconds since 1970 UTC. */
  readonly toldAt: number;
}

/**
 * The events of a queue after one of them, as far as there are any.
 * @throws AppError BAD_EVENT_QUEUE_ID where they are too many.
 */
export async function lookFor(
  hub: EventHub,
  owner: QueueOwner,
  { held, from }: { held: Pick<HeldQueue, "id" | "record">; from: number },
): Promise<Found> {
  const { app } = hub;
  const tail = hub.tail(owner.realm.id);
  const now = app.clock.now();
  await tail.settle();
  const rest = await tail.after(from);
  const nothing = { events: [], to: rest.at(-1)?.id ?? from, toldAt: now };
  const near = rest.map(({ stored }) => stored).filter((stored) => mayConcern(held.record, stored));
  // Most of what happens is not for most who wait: they are not even looked up for it.
  if (!await isAnyNear(app, { realmId: owner.realm.id, queue: held.record }, near)) return nothing;
  const receiver = await readReceiver(app, owner, held.record);
  if (receiver === null) return nothing;
  const wanted = rest.filter(({ stored }) => mayBeFor(receiver, stored));
  const isEnded = wanted.some((one) => endedTypes(one.stored) !== undefined);
  if (isEnded || wanted.length > MAX_BEHIND) await giveUp(hub, owner, held.id);
  const { events, last } = await tellSome(receiver, wanted);
  const first = wanted[0];
  if (first === undefined || events.length === 0) return nothing;
  return { events, to: last, toldAt: Math.min(now, first.at) };
}

/** Tells the first of some events, as many as an answer brings; those of one id are never parted. */
async function tellSome(
  receiver: Receiver,
  wanted: readonly NumberedEvent[],
): Promise<{ events: readonly ToldEvent[]; last: number }> {
  const events: ToldEvent[] = [];
  let last = 0;
  for (let at = 0; at < wanted.length && events.length < MAX_AT_ONCE;) {
    let end = Math.min(at + SIDE_BY_SIDE, wanted.length);
    while (end < wanted.length && wanted[end]?.id === wanted[end - 1]?.id) end++;
    const some = wanted.slice(at, end);
    const from = at;
    const told = await Promise.all(
      some.map((one, index) => tellOnce(receiver, one, wanted[from + index + 1])),
    );
    some.forEach(({ id }, index) => told[index]?.forEach((event) => events.push({ ...event, id })));
    last = some.at(-1)?.id ?? last;
    at = end;
  }
  return { events, last };
}

/** What moves from one channel to another is told to both; who is in both is told the second alone, and has both then. */
async function tellOnce(
  receiver: Receiver,
  { id, stored }: NumberedEvent,
  next: NumberedEvent | undefined,
): Promise<readonly ChatEvent[]> {
  const isTwin = next !== undefined && stored.event.type === "update_message" && next.id - id <= 1 &&
    JSON.stringify(next.stored.event) === JSON.stringify(stored.event);
  return isTwin && await isFor(receiver, next.stored) ? [] : await tell(receiver, stored);
}

async function giveUp(hub: EventHub, { realm, user }: QueueOwner, id: string): Promise<never> {
  await transact(hub.app.store, (tx) => {
    removeQueue(tx, { realmId: realm.id, userId: user.id, id });
    return Promise.resolve();
  });
  throw badQueue(id);
}
