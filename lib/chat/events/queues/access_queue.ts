import type { ChatApp } from "@/lib/chat/app.ts";
import type { RealmRecord } from "@/lib/chat/organizations/model.ts";
import type { UserRecord } from "@/lib/chat/users/model.ts";
import { AppError } from "@/lib/core/errors.ts";
import { durably } from "@/lib/store/durably.ts";
import { transact, type Tx } from "@/lib/store/transact.ts";
import { idScheme, toStartId } from "../delivery/event_id.ts";
import type { EventHub } from "../delivery/hub.ts";
import { COMMIT_LAG_MS, EVENT_LIFETIME_MS } from "../model.ts";
import { isQueueId, queueKeys, queueLifetime, type QueueRecord, TOUCH_MS } from "./model.ts";

/** The account that polls a queue, and its organization. */
export interface QueueOwner {
  readonly realm: RealmRecord;
  readonly user: UserRecord;
}

/** A queue as read by one request. */
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

/** Removes the records of a queue. */
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
