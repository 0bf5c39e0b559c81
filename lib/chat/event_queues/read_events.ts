import { type Entry, toEntry } from "@/lib/kv/key.ts";
import type { ChatApp } from "../app.ts";
import { eventKeys, type StoredEvent } from "../events/emit.ts";
import { type IdScheme, idScheme, toEventId } from "./event_id.ts";

/** An event with the id by which clients know it. */
export interface NumberedEvent {
  readonly id: number;
  /** When it happened, in milliseconds since 1970 UTC. */
  readonly at: number;
  readonly stored: StoredEvent;
}

/** Rows that the store gives of one moment. */
const BATCH = 500;

/** Events in the order of their ids. */
export interface ReadEvents {
  readonly events: readonly NumberedEvent[];
  /** Whether some were left out that were committed while they were read: they come with the next reading. */
  readonly isPartial: boolean;
  /** Whether there are more that are older. */
  readonly isCut: boolean;
}

/** Which events are read. */
export interface EventRange {
  /** Those that say that they happened then or later, in milliseconds since 1970 UTC. */
  readonly from: number;
  /** How many of the newest. */
  readonly limit: number;
  /** Whether those are given, too, before which some may be missing. */
  readonly isAnyOrder?: boolean;
}

/**
 * An organization's events in a range: all of it that were committed up to the last one that is given.
 */
export async function readEvents(
  { store }: Pick<ChatApp, "store">,
  realmId: number,
  { from, limit, isAnyOrder = false }: EventRange,
): Promise<ReadEvents> {
  const prefix = eventKeys.events(realmId);
  const range = { prefix: [...prefix], start: [...prefix, from] };
  const rows: Entry<StoredEvent>[] = [];
  for await (
    const entry of store.kv.list(range, {
      reverse: true,
      batchSize: BATCH,
      ...(limit === Infinity ? {} : { limit }),
    })
  ) {
    rows.push(toEntry<StoredEvent>(entry));
  }
  // Batches are of different moments: what was committed after the first one was read may be known in part.
  const newest = rows.slice(0, BATCH).reduce((last, { versionstamp }) => maxText(last, versionstamp), "");
  const whole = rows.filter(({ versionstamp }) => isAnyOrder || versionstamp <= newest);
  const isPartial = whole.length < rows.length;
  return { events: number(idScheme(store), whole.reverse()), isPartial, isCut: rows.length === limit };
}

function maxText(one: string, other: string): string {
  return one < other ? other : one;
}

/** Numbers events that come in the order of their keys. */
function number(scheme: IdScheme, rows: readonly Entry<StoredEvent>[]): NumberedEvent[] {
  const commits = [...Map.groupBy(rows, ({ versionstamp }) => versionstamp)];
  commits.sort(([one], [other]) => one < other ? -1 : 1);
  return commits.flatMap(([versionstamp, entries]) =>
    inOrder(entries).map(({ key, value }, place) => ({
      id: toEventId(scheme, versionstamp, place),
      at: Number(key[2]),
      stored: value,
    }))
  );
}

/** Messages that share a commit come by their ids; of other commits, the keys know the order. */
function inOrder(entries: Entry<StoredEvent>[]): Entry<StoredEvent>[] {
  const isOfMessages = entries.every(({ value }) => value.event.type === "message");
  if (!isOfMessages) return entries;
  return entries.sort((one, other) => messageIdOf(one) - messageIdOf(other));
}

function messageIdOf({ value }: Entry<StoredEvent>): number {
  return Number(value.event["message_id"]);
}
