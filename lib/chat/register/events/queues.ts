import { type Key, toEntry } from "@/lib/store/key.ts";
import { AppError } from "@/lib/core/errors.ts";
import { durably } from "@/lib/store/durably.ts";
import { transact, type Tx } from "@/lib/store/transact.ts";
import type { ChatApp } from "@/lib/chat/organization/app.ts";
import type { RealmRecord } from "@/lib/chat/organization/organizations/model.ts";
import type { UserRecord } from "@/lib/chat/organization/users/model.ts";
import { idScheme, toStartId } from "./tail.ts";
import type { EventHub } from "./hub.ts";
import { COMMIT_LAG_MS, EVENT_LIFETIME_MS, isQueueId } from "@/lib/chat/organization/events/model.ts";

/** Features that a client can declare and that change the shape of what it receives. */
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
  "individual_emoji_changes",
] as const;
/** A feature that a client can declare. */
export type ClientCapability = typeof CLIENT_CAPABILITIES[number];

type QueueNarrowTerm =
  | string[]
  | { readonly operator: string; readonly operand: string; readonly negated?: boolean | undefined };

/** A registered client's queue: the events to deliver, and their shape. It expires when it is not polled. */
export interface QueueRecord {
  readonly user_id: number;
  /** Null: every type. */
  readonly event_types: readonly string[] | null;
  /** Capabilities of the client, without those that Sotto does not know. */
  readonly client_capabilities: readonly ClientCapability[];
  readonly apply_markdown: boolean;
  readonly client_gravatar: boolean;
  readonly slim_presence: boolean;
  readonly all_public_streams: boolean;
  readonly include_subscribers: boolean | "partial";
  readonly narrow: readonly QueueNarrowTerm[];
  /** Milliseconds since 1970 UTC, before the initial state of the client was read. */
  readonly created_at: number;
  /** Milliseconds. */
  readonly idle_timeout: number;
  /** Id of the last event that the client acknowledged; null: every event committed before this record. */
  readonly position: number | null;
  /** Time before which every event was delivered, in milliseconds since 1970 UTC. */
  readonly position_at: number;
  /**
   * Time of the last recorded poll, in milliseconds since 1970 UTC; at most a minute behind the actual one.
   */
  readonly touched_at: number;
}

/** Maximum number of queues per account; the one that was idle longest is removed to make room. */
export const MAX_QUEUES = 1000;
/** Milliseconds between two writes that record a poll. */
const TOUCH_MS = 60_000;
/** Seconds after which a queue that is not polled expires, unless the client asks for another timeout. */
export const DEFAULT_IDLE_SECONDS = 600;

export const queueKeys = {
  queue: (realmId: number, id: string): Key => [realmId, "queue", id],
  /** Prefix of the times at which each queue of an account was last polled, by queue id. */
  ofUser: (realmId: number, userId: number): Key => [realmId, "user_queue", userId],
};

/**
 * Returns how long a record lives that is not written again, in milliseconds: polls are recorded late, and
 * clients wait.
 */
function queueLifetime({ idle_timeout }: Pick<QueueRecord, "idle_timeout">): number {
  return idle_timeout + 3 * TOUCH_MS;
}

export function listKnownCapabilities(declared: Readonly<Record<string, boolean>>): ClientCapability[] {
  return CLIENT_CAPABILITIES.filter((name) => declared[name] === true);
}

/** The account that polls a queue, and its organization. */
export interface QueueOwner {
  readonly realm: RealmRecord;
  readonly user: UserRecord;
}

export interface QueueHandle {
  readonly id: string;
  readonly record: QueueRecord;
  /** Id of the last event that the client has. */
  readonly position: number;
  readonly versionstamp: string;
}

/**
 * Returns a queue of the caller that has not expired and of whose events none has expired.
 * @throws AppError BAD_EVENT_QUEUE_ID for any other queue: the client has to register again.
 */
export async function getQueue(
  { store, clock }: ChatApp,
  { realm, user }: QueueOwner,
  id: string,
): Promise<QueueHandle> {
  // The store rejects keys that are too long, and no queue has an id of another form.
  if (!isQueueId(id)) throw badQueueError(id);
  const { value, versionstamp } = await store.kv.get<QueueRecord>(queueKeys.queue(realm.id, id));
  if (value === null || value.user_id !== user.id) throw badQueueError(id);
  const now = clock.now();
  const isIdle = now - value.touched_at > value.idle_timeout + TOUCH_MS;
  const isIncomplete = now - value.position_at > EVENT_LIFETIME_MS - COMMIT_LAG_MS;
  if (isIdle || isIncomplete) throw badQueueError(id);
  const position = value.position ?? toStartId(idScheme(store), versionstamp);
  return { id, record: value, position, versionstamp };
}

/**
 * Records, at most once a minute, that a client polls its queue and has the events up to `position`. Every
 * event before `deliveredUntil` (milliseconds since 1970 UTC) was delivered.
 */
export async function touchQueue(
  { store, clock }: ChatApp,
  { realm, user }: QueueOwner,
  { queue, position, deliveredUntil }: { queue: QueueHandle; position: number; deliveredUntil: number },
): Promise<QueueHandle> {
  const now = clock.now();
  if (now - queue.record.touched_at < TOUCH_MS) return queue;
  const position_at = Math.max(queue.record.position_at, deliveredUntil);
  const record = { ...queue.record, position, position_at, touched_at: now };
  const key = queueKeys.queue(realm.id, queue.id);
  const expireIn = queueLifetime(record);
  // A concurrent poll of the queue, or its deletion, wins over this one.
  const result = await durably(
    store,
    () =>
      store.kv.atomic().check({ key, versionstamp: queue.versionstamp }).set(key, record, { expireIn })
        .set([...queueKeys.ofUser(realm.id, user.id), queue.id], now, { expireIn }).commit(),
  );
  return result.ok ? { ...queue, record, versionstamp: result.versionstamp } : queue;
}

/**
 * Deletes a queue of the caller and answers the request that waits for it.
 * @throws AppError BAD_EVENT_QUEUE_ID.
 */
export async function deleteQueue(hub: EventHub, owner: QueueOwner, id: string): Promise<void> {
  await getQueue(hub.app, owner, id);
  await endQueue(hub.app, owner, id);
  hub.end(id);
}

/** Deletes a queue that is known to belong to its owner. */
export async function endQueue({ store }: ChatApp, { realm, user }: QueueOwner, id: string): Promise<void> {
  await transact(store, (tx) => {
    removeQueue(tx, { realmId: realm.id, userId: user.id, id });
    return Promise.resolve();
  });
}

export function removeQueue(
  tx: Tx,
  { realmId, userId, id }: { realmId: number; userId: number; id: string },
): void {
  tx.delete(queueKeys.queue(realmId, id));
  tx.delete([...queueKeys.ofUser(realmId, userId), id]);
}

/** Returns the error for a queue that does not exist, has expired or belongs to another account. */
export function badQueueError(id: string): AppError {
  return new AppError("BAD_EVENT_QUEUE_ID", `Bad event queue ID: ${id}`, { extra: { queue_id: id } });
}

/** Maximum number of queues that are removed at once to make room: a transaction holds only so much. */
const MAX_REMOVED = 20;

/** Options of a client's queue, as it registers. */
interface QueueOptions extends
  Pick<
    QueueRecord,
    | "apply_markdown"
    | "client_gravatar"
    | "slim_presence"
    | "all_public_streams"
    | "include_subscribers"
    | "narrow"
  > {
  /** Undefined: every type. */
  readonly event_types: readonly string[] | undefined;
  readonly client_capabilities: Readonly<Record<string, boolean>>;
  /** Seconds; 0 means the default, so that the older parameter counts when the newer one is 0. */
  readonly idle_queue_timeout: number | undefined;
  readonly queue_lifespan_secs: number | undefined;
}

/** Creates a queue and returns its id, which cannot be guessed. */
export async function createQueue(
  app: ChatApp,
  { realmId, userId }: { realmId: number; userId: number },
  options: QueueOptions,
): Promise<string> {
  const id = crypto.randomUUID();
  const now = app.clock.now();
  const queue: QueueRecord = {
    user_id: userId,
    event_types: options.event_types === undefined ? null : [...new Set(options.event_types)],
    client_capabilities: listKnownCapabilities(options.client_capabilities),
    apply_markdown: options.apply_markdown,
    client_gravatar: options.client_gravatar,
    slim_presence: options.slim_presence,
    all_public_streams: options.all_public_streams,
    include_subscribers: options.include_subscribers,
    narrow: options.narrow,
    created_at: now,
    idle_timeout: (options.idle_queue_timeout || options.queue_lifespan_secs || DEFAULT_IDLE_SECONDS) * 1000,
    position: null,
    position_at: now,
    touched_at: now,
  };
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
  queues.sort((a, b) => a.at - b.at);
  return queues.slice(0, Math.min(excess, MAX_REMOVED)).map(({ id }) => id);
}
