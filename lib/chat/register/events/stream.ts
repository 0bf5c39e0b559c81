import type { AdmittedCaller } from "@/lib/chat/people/auth/authenticate.ts";
import { AppError } from "@/lib/core/errors.ts";
import { isAccessChange } from "@/lib/chat/organization/events/model.ts";
import { CLIENT_CAPABILITIES, DEFAULT_IDLE_SECONDS, type QueueRecord } from "./queues.ts";
import type { EventHub } from "./hub.ts";
import { findEvents, type FoundEvents } from "./retrieve_events.ts";

interface StreamOptions {
  /** Types of the events; null for every type. */
  readonly types: readonly string[] | null;
  /** Aborted when the client disconnects. */
  readonly client: AbortSignal;
  readonly maxDurationMs: number;
}

interface StreamUpdate extends Pick<FoundEvents, "events"> {
  /** Id of the last event that was examined. */
  readonly lastId: number;
  /** Whether an event concerned the account or the organization in a way that may end the stream. */
  readonly hasAccessChange: boolean;
}

/** Live delivery of events as they happen, as from a queue, but without a stored record. */
export interface EventStream extends Disposable {
  /** Aborted when the stream has to end. */
  readonly signal: AbortSignal;
  /**
   * Returns the events after the one with this id; null when there are too many to deliver.
   * @throws AppError as `requireStillValid`.
   */
  read(id: number): Promise<StreamUpdate | null>;
  /** Resolves when there are events after the one with this id, or the stream has to end. */
  wait(id: number): Promise<void>;
}

/**
 * Opens a stream of an account's events, for a client with every capability. It counts as a waiting request
 * of the account and of the process.
 * @throws AppError UNAVAILABLE or RATE_LIMIT_HIT when too many requests wait.
 */
export function openEventStream(
  hub: EventHub,
  owner: AdmittedCaller,
  { types, client, maxDurationMs }: StreamOptions,
): EventStream {
  const { realm: { id: realmId }, user: { id: userId } } = owner;
  const id = crypto.randomUUID();
  const waiter = hub.enter({ realmId, userId, queueId: id, client, maxWaitMs: maxDurationMs });
  const now = hub.app.clock.now();
  const record: QueueRecord = {
    user_id: userId,
    event_types: types,
    client_capabilities: CLIENT_CAPABILITIES,
    apply_markdown: false,
    client_gravatar: true,
    slim_presence: false,
    all_public_streams: false,
    include_subscribers: false,
    narrow: [],
    created_at: now,
    idle_timeout: DEFAULT_IDLE_SECONDS * 1000,
    position: null,
    position_at: now,
    touched_at: now,
  };
  const queue = { id, record };
  const tail = hub.tail(realmId);
  return {
    signal: waiter.signal,
    async read(from) {
      const found = await findEvents(hub, owner, { queue, from }).catch((error) => {
        // A client that is too far behind loses its queue; a stream has none to lose.
        if (error instanceof AppError && error.code === "BAD_EVENT_QUEUE_ID") return null;
        throw error;
      });
      if (found === null) return null;
      const passed = await tail.after(from);
      return { ...found, hasAccessChange: passed.some(({ stored }) => isAccessChange(stored, userId)) };
    },
    wait: (from) => tail.wait(from, waiter.signal),
    [Symbol.dispose]: () => waiter[Symbol.dispose](),
  };
}
