import { serialize } from "node:v8";
import type { Clock } from "@/lib/core/clock.ts";
import type { Tx } from "@/lib/store/transact.ts";
import {
  type Audience,
  type ChatEvent,
  endedTypes,
  EVENT_LIFETIME_MS,
  eventKeys,
  eventSignal,
  MAX_EVENTS_IN_COMMIT,
  mergeAudiences,
  queueEndEvent,
  type StoredEvent,
} from "./model.ts";

/** Maximum size of the events of one change, in bytes as stored. */
const MAX_BYTES = 250 * 1024;

/** The transaction that changes an organization, and the clock of its events. */
export interface EventContext {
  readonly app: { readonly clock: Clock };
  readonly tx: Tx;
  readonly realm: { readonly id: number };
}

/** Stores an event in the commit of its change; by default for everyone. */
export function sendChangeEvent(
  { app, tx, realm }: EventContext,
  event: ChatEvent,
  audience: Audience = "everyone",
): void {
  sendEvent(tx, { realmId: realm.id, now: app.clock.now() }, { event, audience });
}

/** Stores an event in the commit of its change; `now` is in milliseconds since 1970 UTC. */
export function sendEvent(
  tx: Tx,
  { realmId, now }: { realmId: number; now: number },
  stored: StoredEvent,
): void {
  const key = eventKeys.event(realmId, now, `${tx.nextOrder()}-${crypto.randomUUID()}`);
  tx.set(key, stored, { expireIn: EVENT_LIFETIME_MS });
  tx.sum(eventKeys.count(realmId), 1n);
  tx.notify(eventSignal(realmId));
}

/**
 * Stores the events of one change in its commit, in order. Events that are too many or too large for one
 * commit are replaced by the end of the queues of their audience.
 */
export function sendEvents({ app, tx, realm }: EventContext, events: readonly StoredEvent[]): void {
  // An event with several audiences is stored once for each.
  const bytes = events.reduce((sum, one) => sum + serialize(one).length, 0);
  const at = { realmId: realm.id, now: app.clock.now() };
  const fits = events.length <= MAX_EVENTS_IN_COMMIT && bytes <= MAX_BYTES;
  for (const event of fits ? events : [toQueueEnd(events)]) sendEvent(tx, at, event);
}

function toQueueEnd(events: readonly StoredEvent[]): StoredEvent {
  const lists = events.map((event) => {
    const ended = endedTypes(event);
    return ended === undefined ? [event.event.type] : ended;
  });
  const isEveryType = lists.some((types) => types === null);
  const types = isEveryType ? null : [...new Set(lists.flatMap((list) => list ?? []))];
  return queueEndEvent(types, mergeAudiences(events.map(({ audience }) => audience)));
}
