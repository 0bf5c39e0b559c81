import { partition } from "es-toolkit/array/partition";
import type { ChatApp } from "@/lib/chat/app.ts";
import { type Entry, toEntry } from "@/lib/store/key.ts";
import { eventKeys, type StoredEvent } from "../model.ts";
import { type IdScheme, idScheme, toEventId } from "./event_id.ts";

/** An event with the id that clients receive. */
export interface NumberedEvent {
  readonly id: number;
  /** Milliseconds since 1970 UTC. */
  readonly at: number;
  readonly stored: StoredEvent;
}

/** Rows that the store reads at one moment. */
const BATCH = 500;

/** Events in the order of their ids. */
export interface EventBatch {
  readonly events: readonly NumberedEvent[];
  /** Whether there are older events beyond the limit. */
  readonly isTruncated: boolean;
}

/** Events to read. */
export interface EventRange {
  /** Time of the oldest event, in milliseconds since 1970 UTC. */
  readonly from: number;
  /** Maximum number of events, counted from the newest. */
  readonly limit: number;
  /**
   * Version stamp of the last commit whose events are returned, one that was made before the read; null to return all.
   * Batches are read at different moments, so that later commits may be read in part.
   */
  readonly upTo: string | null;
}

/** Returns the events of an organization in a range. */
export async function readEvents(
  { store }: Pick<ChatApp, "store">,
  realmId: number,
  { from, limit, upTo }: EventRange,
): Promise<EventBatch> {
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
  const wanted = rows.filter(({ versionstamp }) => upTo === null || versionstamp <= upTo);
  return { events: numberEvents(idScheme(store), wanted.reverse()), isTruncated: rows.length === limit };
}

/** Numbers events, which come in the order of their keys. */
function numberEvents(scheme: IdScheme, rows: readonly Entry<StoredEvent>[]): NumberedEvent[] {
  const commits = [...Map.groupBy(rows, ({ versionstamp }) => versionstamp)];
  commits.sort(([one], [other]) => one < other ? -1 : 1);
  return commits.flatMap(([versionstamp, entries]) =>
    sortEntries(entries).map(({ key, value }, position) => ({
      id: toEventId(scheme, versionstamp, position),
      at: Number(key[2]),
      stored: value,
    }))
  );
}

/**
 * Puts the messages of a shared commit first, by id, before what came with them; the keys of other events are in
 * order already.
 */
function sortEntries(entries: readonly Entry<StoredEvent>[]): Entry<StoredEvent>[] {
  const [messages, others] = partition(entries, ({ value }) => value.event.type === "message");
  return [...messages.sort((one, other) => messageIdOf(one) - messageIdOf(other)), ...others];
}

function messageIdOf({ value }: Entry<StoredEvent>): number {
  return Number(value.event["message_id"]);
}
