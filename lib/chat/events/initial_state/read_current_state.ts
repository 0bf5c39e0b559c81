import { isAnyRelevant, matchesQueue } from "../delivery/audience.ts";
import type { EventHub } from "../delivery/hub.ts";
import type { QueueHandle, QueueOwner } from "../queues/access_queue.ts";
import type { StateContext, StatePart } from "./model.ts";

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

/** The state of an organization for a client, and the last event that it contains. */
export interface CurrentState {
  readonly fields: object;
  /** Id of the last event in the state; null when it contains none of the queue. */
  readonly lastEventId: number | null;
}

/** A new queue, and how the parts of the state are read. */
export interface StateRequest {
  readonly owner: QueueOwner;
  readonly queue: QueueHandle;
  readonly parts: readonly StatePart[];
  /** Reads what the parts share. */
  readonly readContext: () => Promise<StateContext>;
}

/**
 * Reads the parts of the state as of one event: parts that an event changes meanwhile are read again. Where events
 * never cease, the last of them may be in the state already.
 */
export async function readCurrentState(
  hub: EventHub,
  { owner, queue, parts, readContext }: StateRequest,
): Promise<CurrentState> {
  const fields = new Map<StatePart, object>();
  let position = queue.position;
  let stale = parts;
  for (let reads = 0; reads < MAX_READS && stale.length > 0; reads++) {
    const context = await readContext();
    await Promise.all(stale.map(async (part) => fields.set(part, await part.read(context))));
    const passed = await listPassedTypes(hub, owner, { queue, from: position });
    stale = parts.filter((part) => passed.types.some((type) => isChangedBy(part, type)));
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

function isChangedBy({ type }: StatePart, eventType: string): boolean {
  return CHANGED_PARTS[eventType]?.includes(type) ?? true;
}
