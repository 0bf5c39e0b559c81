import type { ChatApp } from "@/lib/chat/app.ts";
import { toEntry } from "@/lib/store/key.ts";
import { transact } from "@/lib/store/transact.ts";
import type { QueueRegistration } from "../initial_state/registration.ts";
import { removeQueue } from "./access_queue.ts";
import {
  DEFAULT_IDLE_SECONDS,
  listKnownCapabilities,
  MAX_QUEUES,
  queueKeys,
  queueLifetime,
  type QueueRecord,
} from "./model.ts";

/** Maximum number of queues that are removed at once to make room: a transaction holds only so much. */
const MAX_REMOVED = 20;

/** Creates a queue and returns its id, which cannot be guessed. */
export async function createQueue(
  app: ChatApp,
  { realmId, userId }: { realmId: number; userId: number },
  registration: QueueRegistration,
): Promise<string> {
  const id = crypto.randomUUID();
  const queue = toQueue(registration, { userId, now: app.clock.now() });
  // The queues of one account are created one after the other, so that concurrent registrations count each
  // other.
  await transact(app.store, async (tx) => {
    for (const idle of await listLongestIdle(app, { realmId, userId })) {
      removeQueue(tx, { realmId, userId, id: idle });
    }
    const expireIn = queueLifetime(queue);
    tx.set(queueKeys.queue(realmId, id), queue, { expireIn });
    tx.set([...queueKeys.ofUser(realmId, userId), id], queue.touched_at, { expireIn });
  }, `event queues ${realmId} ${userId}`);
  return id;
}

/** Returns the ids of the queues to remove before one more is created. */
async function listLongestIdle(
  { store }: ChatApp,
  { realmId, userId }: { realmId: number; userId: number },
): Promise<string[]> {
  const queues: { id: string; at: number }[] = [];
  const listing = store.kv.list({ prefix: [...queueKeys.ofUser(realmId, userId)] }, { batchSize: 500 });
  for await (const entry of listing) {
    const { key, value } = toEntry<number>(entry);
    queues.push({ id: String(key.at(-1)), at: value });
  }
  const excess = queues.length + 1 - MAX_QUEUES;
  if (excess <= 0) return [];
  queues.sort((one, other) => one.at - other.at);
  return queues.slice(0, Math.min(excess, MAX_REMOVED)).map(({ id }) => id);
}

/** Converts a registration to a queue record; `now` is in milliseconds since 1970 UTC. */
export function toQueue(
  registration: QueueRegistration,
  { userId, now }: { userId: number; now: number },
): QueueRecord {
  const { apply_markdown, client_gravatar, slim_presence, all_public_streams } = registration;
  const { event_types, idle_queue_timeout, queue_lifespan_secs } = registration;
  return {
    user_id: userId,
    event_types: event_types === undefined ? null : [...new Set(event_types)],
    client_capabilities: listKnownCapabilities(registration.client_capabilities),
    apply_markdown,
    client_gravatar,
    slim_presence,
    all_public_streams,
    include_subscribers: registration.include_subscribers,
    narrow: registration.narrow,
    created_at: now,
    // 0 means the default, so that the older parameter counts when the newer one is 0.
    idle_timeout: (idle_queue_timeout || queue_lifespan_secs || DEFAULT_IDLE_SECONDS) * 1000,
    position: null,
    position_at: now,
    touched_at: now,
  };
}
