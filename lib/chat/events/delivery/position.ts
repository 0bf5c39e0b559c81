import type { ChatApp } from "@/lib/chat/app.ts";
import { AppError } from "@/lib/core/errors.ts";
import { toEntry } from "@/lib/store/key.ts";
import { COMMIT_LAG_MS, EVENT_LIFETIME_MS, eventKeys } from "../model.ts";
import { idScheme, lastIdOf, toEventId, toStartId } from "./event_id.ts";
import type { QueueHandle } from "../queues/access_queue.ts";
import type { EventHub } from "./hub.ts";
import { RECHECK_MS } from "./tail.ts";

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

/** Position at which a stream of events begins. */
export interface StreamStart {
  /** Id of the event before the first one of the stream. */
  readonly from: number;
  /** Whether events were missed, or may have been: they are no longer stored. */
  readonly isStale: boolean;
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
 * Returns the start of a stream: the next event, or the one after the last received if all since are still
 * stored.
 */
export async function findStreamStart(
  hub: EventHub,
  realmId: number,
  resumption: Resumption | null,
): Promise<StreamStart> {
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
export async function requireKnownEvent(
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
