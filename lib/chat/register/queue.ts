import { type Key, toEntry } from "@/lib/kv/key.ts";
import { transact, type Tx } from "@/lib/kv/transact.ts";
import type { ChatApp } from "../app.ts";
import { DEFAULT_IDLE_SECONDS, type Registration } from "./params.ts";

/** What a client that registered is to be told; it is gone when nobody asks for so long. */
export interface QueueRecord {
  readonly user_id: number;
  /** Null: all. */
  readonly event_types: readonly string[] | null;
  /** Those that Sotto knows and the client has. */
  readonly client_capabilities: readonly ClientCapability[];
  readonly apply_markdown: boolean;
  readonly client_gravatar: boolean;
  readonly slim_presence: boolean;
  readonly all_public_streams: boolean;
  readonly include_subscribers: boolean | "partial";
  readonly narrow: Registration["narrow"];
  /** Milliseconds since 1970 UTC, before the state that the client was given was read. */
  readonly created_at: number;
  /** Milliseconds. */
  readonly idle_timeout: number;
  /** The event up to which the client said that it has them; null: all that were committed before this record was. */
  readonly position: number | null;
  /** Everything that happened before was told, in milliseconds since 1970 UTC. */
  readonly position_at: number;
  /** When the client was last noted to have asked, in milliseconds since 1970 UTC: a minute late at most. */
  readonly touched_at: number;
}

/** Queues that one account may have; the one that was not asked for longest makes room. */
export const MAX_QUEUES = 1000;
/** Queues that make room at once, at most: a transaction holds only so much. */
const MAX_MAKING_ROOM = 20;
/** Milliseconds between two notes that a client asks for its events. */
export const TOUCH_MS = 60_000;

/** What clients can do that changes what they are told. */
export const CLIENT_CAPABILITIES = [
  "notification_settings_null",
  "bulk_message_deletion",
  "user_avatar_url_field_optional",
  "stream_typing_notifications",
  "user_settings_object",
  "linkifier_url_template",
  "user_list_incomplete",
  "include_deactivated_groups",
  "archived_channels",
  "empty_topic_name",
  "simplified_presence_events",
] as const;
/** One of them. */
export type ClientCapability = typeof CLIENT_CAPABILITIES[number];

/** Where queues lie in the store. */
export const queueKeys = {
  queues: (realmId: number): Key => [realmId, "queue"],
  queue: (realmId: number, id: string): Key => [realmId, "queue", id],
  /** When each queue of an account was last asked, by its id. */
  ofUser: (realmId: number, userId: number): Key => [realmId, "user_queue", userId],
};

/** Makes a queue and gives its id, which nobody can guess. */
export async function addQueue(
  app: ChatApp,
  { realmId, userId }: { realmId: number; userId: number },
  sent: Registration,
): Promise<string> {
  const id = crypto.randomUUID();
  const queue = toQueue(sent, { userId, now: app.clock.now() });
  // One after the other for one account, so that all who register at the same time count one another.
  await transact(app.store, async (tx) => {
    for (const old of await listLongestIdle(app, { realmId, userId })) {
      removeQueue(tx, { realmId, userId, id: old });
    }
    const expireIn = queueLifetime(queue);
    tx.set(queueKeys.queue(realmId, id), queue, { expireIn });
    tx.set([...queueKeys.ofUser(realmId, userId), id], queue.touched_at, { expireIn });
  }, `event queues ${realmId} ${userId}`);
  return id;
}

/** Removes a queue of an account. */
export function removeQueue(
  tx: Tx,
  { realmId, userId, id }: { realmId: number; userId: number; id: string },
): void {
  tx.delete(queueKeys.queue(realmId, id));
  tx.delete([...queueKeys.ofUser(realmId, userId), id]);
}

/** How long a record lives that is not written again, in milliseconds: it is noted late, and while somebody waits. */
export function queueLifetime({ idle_timeout }: Pick<QueueRecord, "idle_timeout">): number {
  return idle_timeout + 3 * TOUCH_MS;
}

/** The queues that have to make room for one more; a few where there are far too many. */
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
  return queues.slice(0, Math.min(excess, MAX_MAKING_ROOM)).map(({ id }) => id);
}

/** A registration as it is kept; `now` in milliseconds since 1970 UTC. */
export function toQueue(sent: Registration, { userId, now }: { userId: number; now: number }): QueueRecord {
  const { apply_markdown, client_gravatar, slim_presence, all_public_streams } = sent;
  return {
    user_id: userId,
    event_types: sent.event_types === undefined ? null : [...new Set(sent.event_types)],
    client_capabilities: capabilitiesOf(sent),
    apply_markdown,
    client_gravatar,
    slim_presence,
    all_public_streams,
    include_subscribers: sent.include_subscribers,
    narrow: sent.narrow,
    created_at: now,
    // 0 stands for what is usual, so that the older name counts where the newer one is 0.
    idle_timeout: (sent.idle_queue_timeout || sent.queue_lifespan_secs || DEFAULT_IDLE_SECONDS) * 1000,
    position: null,
    position_at: now,
    touched_at: now,
  };
}

/** What Sotto knows of what the client says that it can do. */
export function capabilitiesOf({ client_capabilities }: Registration): ClientCapability[] {
  return CLIENT_CAPABILITIES.filter((name) => client_capabilities[name] === true);
}
