import { toEntry } from "@/lib/kv/key.ts";
import type { ChatApp } from "../app.ts";
import { EVENT_LIFETIME_MS, eventKeys } from "../events/emit.ts";
import { idScheme, lastIdOf, toEventId, toStartId } from "./event_id.ts";
import type { EventHub } from "./hub.ts";
import { RECHECK_MS, SLACK_MS } from "./tail.ts";

/** Rows among which the first or the last commit is looked for: those of one moment lie in any order. */
const ROWS_OF_A_MOMENT = 100;
/** What happened in so many milliseconds lies ready, wherever it was committed. */
const KEPT_MS = EVENT_LIFETIME_MS - SLACK_MS;

/** Where somebody goes on who was told before. */
export interface Resumption {
  /** The id of the last event that he has; null where that is no id at all. */
  readonly id: number | null;
  /** How many milliseconds ago he had everything up to it; null where he does not say. */
  readonly awayMs: number | null;
}

/** Where a stream of events begins. */
export interface StreamStart {
  /** It tells what comes after the event with this id. */
  readonly from: number;
  /** Whether some was missed: it is no longer there, or it cannot be said. */
  readonly isStale: boolean;
}

/**
 * An id up to which everything is known to whoever reads an organization from now on; whatever is committed later has
 * larger ones.
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

/** Where a stream begins: with the next event, or after the last one that was told before, if nothing since is forgotten. */
export async function findStart(
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
    // Another server of the store may have told what this one does not know yet.
    await new Promise((resolve) => setTimeout(resolve, RECHECK_MS));
    await tail.settle();
  }
  const isWhole = await hasAllSince(hub, realmId, { ...resumption, id });
  return isWhole ? { from: id, isStale: false } : { from: tail.head, isStale: true };
}

/** Ids that no event has so far. An organization in which nothing happened lately has forgotten all of them. */
function isUnknown({ app }: EventHub, { id, head }: { id: number; head: number }): boolean {
  return head > 0 && id > lastIdOf(idScheme(app.store), head);
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

/** The id of the oldest event that certainly lies ready with all after it; infinity where none does. */
async function readOldestId({ store, clock }: ChatApp, realmId: number): Promise<number> {
  const prefix = eventKeys.events(realmId);
  const range = { prefix: [...prefix], start: [...prefix, clock.now() - KEPT_MS] };
  let oldest = Infinity;
  for await (const entry of store.kv.list(range, { limit: ROWS_OF_A_MOMENT })) {
    oldest = Math.min(oldest, toEventId(idScheme(store), toEntry(entry).versionstamp, 0));
  }
  return oldest;
}
