import { serialize } from "node:v8";
import type { Tx } from "@/lib/kv/transact.ts";
import { type Audience, sendEvent, type StoredEvent } from "./emit.ts";
import { MAX_IDS_IN_EVENT } from "./in_events.ts";

/** The most events that one change tells; with what it writes itself, they fit into one commit. */
export const MAX_EVENTS_IN_COMMIT = 250;
/** The most room that they take, in bytes as stored. */
const MAX_BYTES = 250 * 1024;

/** The type of what no client is told: that queues end. */
const QUEUE_END = "queue_end";

/**
 * Ends those queues of an audience that take events of one of some types, null being all: their clients begin anew, and
 * know then what no events told them.
 */
export function queueEndEvent(types: readonly string[] | null, audience: Audience): StoredEvent {
  return { event: { type: QUEUE_END, types }, audience };
}

/** The types of events whose queues end, null being all; undefined for what is an event like others. */
export function endedTypes({ event }: StoredEvent): readonly string[] | null | undefined {
  if (event.type !== QUEUE_END) return undefined;
  const { types } = event;
  return Array.isArray(types) ? types : null;
}

/** Tells what belongs together, in order; where that is too much for one commit, the queues of its audience end instead. */
export function sendEvents(
  tx: Tx,
  at: { realmId: number; now: number },
  told: readonly StoredEvent[],
): void {
  // Events that are told to several audiences are stored for each.
  const bytes = told.reduce((sum, one) => sum + serialize(one).length, 0);
  const isLittle = told.length <= MAX_EVENTS_IN_COMMIT && bytes <= MAX_BYTES;
  for (const one of isLittle ? told : [instead(told)]) sendEvent(tx, at, one);
}

function instead(told: readonly StoredEvent[]): StoredEvent {
  const types = told.map((one) => {
    const ended = endedTypes(one);
    return ended === undefined ? [one.event.type] : ended;
  });
  const isAll = types.some((some) => some === null);
  const all = isAll ? null : [...new Set(types.flatMap((some) => some ?? []))];
  return queueEndEvent(all, joined(told.map(({ audience }) => audience)));
}

function joined(audiences: readonly Audience[]): Audience {
  const [first] = audiences;
  if (typeof first === "string" && audiences.every((audience) => audience === first)) return first;
  const ids = new Set<number>();
  for (const audience of audiences) {
    if (typeof audience === "string" || "channel" in audience) return "everyone";
    for (const id of audience) ids.add(id);
  }
  return ids.size > MAX_IDS_IN_EVENT ? "everyone" : [...ids];
}
