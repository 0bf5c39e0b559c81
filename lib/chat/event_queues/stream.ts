import { AppError } from "@/lib/core/errors.ts";
import { readParams } from "../params/read.ts";
import type { StoredEvent } from "../events/emit.ts";
import { registerParams } from "../register/params.ts";
import { CLIENT_CAPABILITIES, type QueueRecord, toQueue } from "../register/queue.ts";
import type { QueueOwner } from "./access_queue.ts";
import type { EventHub } from "./hub.ts";
import { type Found, lookFor } from "./retrieve.ts";

/** What a stream tells, to whom, and for how long. */
export interface StreamWish {
  /** Null: all. */
  readonly types: readonly string[] | null;
  /** Aborted when the client is gone. */
  readonly client: AbortSignal;
  readonly longestMs: number;
}

/** What there is to tell on a stream. */
export interface StreamNews extends Pick<Found, "events"> {
  /** What follows has larger ids. */
  readonly to: number;
  /** Whether something happened to the account or the organization that may end the stream. */
  readonly isAccessTouched: boolean;
}

/** A line on which somebody is told of events as they happen, as he is told by a queue, but of which nothing is stored. */
export interface EventStream extends Disposable {
  /** Aborted when it has to end. */
  readonly signal: AbortSignal;
  /** What happened after the event with this id; null where that is more than is told. */
  read(id: number): Promise<StreamNews | null>;
  /** Settles when something happened after the event with this id, or the stream has to end. */
  wait(id: number): Promise<void>;
}

/**
 * Opens a stream of what an account is told with all that clients can do; like a request that waits, it has a place
 * among those of its account and of the process.
 * @throws AppError UNAVAILABLE when too many wait.
 */
export function openStream(
  hub: EventHub,
  owner: QueueOwner,
  { types, client, longestMs }: StreamWish,
): EventStream {
  const { realm: { id: realmId }, user: { id: userId } } = owner;
  const id = crypto.randomUUID();
  const waiter = hub.enter({ realmId, userId, queueId: id, client, patienceMs: longestMs });
  const held = { id, record: toUnstored(userId, types, hub.app.clock.now()) };
  const tail = hub.tail(realmId);
  return {
    signal: waiter.signal,
    async read(from) {
      const found = await lookFor(hub, owner, { held, from }).catch(toNothing);
      if (found === null) return null;
      const passed = await tail.after(from);
      return { ...found, isAccessTouched: passed.some(({ stored }) => touchesAccess(stored, userId)) };
    },
    wait: (from) => tail.wait(from, waiter.signal),
    [Symbol.dispose]: () => waiter[Symbol.dispose](),
  };
}

function toUnstored(userId: number, types: StreamWish["types"], now: number): QueueRecord {
  const { values } = readParams(registerParams, new Map());
  const client_capabilities = Object.fromEntries(CLIENT_CAPABILITIES.map((name) => [name, true]));
  const event_types = types === null ? undefined : [...types];
  const sent = { ...values, client_capabilities, client_gravatar: true, event_types };
  return toQueue(sent, { userId, now });
}

/** One who is too far behind loses his queue; here there is none to lose. */
function toNothing(error: unknown): null {
  if (error instanceof AppError && error.code === "BAD_EVENT_QUEUE_ID") return null;
  throw error;
}

function touchesAccess({ event: { type, op, person } }: StoredEvent, userId: number): boolean {
  if (type === "realm") return op === "deactivated";
  return type === "realm_user" && typeof person === "object" && person !== null && "user_id" in person &&
    person.user_id === userId;
}
