import { AppError } from "@/lib/core/errors.ts";
import { durably } from "@/lib/kv/durably.ts";
import { transact } from "@/lib/kv/transact.ts";
import type { ChatApp } from "../app.ts";
import { EVENT_LIFETIME_MS } from "../events/emit.ts";
import type { RealmRecord } from "../realm/realm.ts";
import { queueKeys, queueLifetime, type QueueRecord, removeQueue, TOUCH_MS } from "../register/queue.ts";
import type { UserRecord } from "../users/user.ts";
import { idScheme, toStartId } from "./event_id.ts";
import { SLACK_MS } from "./tail.ts";

/** Who asks, and in which organization. */
export interface QueueOwner {
  readonly realm: RealmRecord;
  readonly user: UserRecord;
}

/** A queue as one request holds it. */
export interface HeldQueue {
  readonly id: string;
  readonly record: QueueRecord;
  /** The id of the event up to which its client has everything. */
  readonly position: number;
  readonly versionstamp: string;
}

/**
 * A queue of the caller's own that was asked for lately, and of whose events none is forgotten yet.
 * @throws AppError BAD_EVENT_QUEUE_ID for any other: the client has to register anew.
 */
export async function getQueue(
  { store, clock }: ChatApp,
  { realm, user }: QueueOwner,
  id: string,
): Promise<HeldQueue> {
  // The store takes no keys of any length, and no queue has another id.
  if (!/^[0-9a-f-]{36}$/.test(id)) throw badQueue(id);
  const { value, versionstamp } = await store.kv.get<QueueRecord>(queueKeys.queue(realm.id, id));
  if (value === null || value.user_id !== user.id) throw badQueue(id);
  const now = clock.now();
  const isIdle = now - value.touched_at > value.idle_timeout + TOUCH_MS;
  const isForgotten = now - value.position_at > EVENT_LIFETIME_MS - SLACK_MS;
  if (isIdle || isForgotten) throw badQueue(id);
  const position = value.position ?? toStartId(idScheme(store), versionstamp);
  return { id, record: value, position, versionstamp };
}

/**
 * Notes, at most once a minute, that a client asks for its events, has those up to `position`, and was told all that
 * happened before `toldAt` (milliseconds since 1970 UTC).
 */
export async function touchQueue(
  { store, clock }: ChatApp,
  { realm, user }: QueueOwner,
  { held, position, toldAt }: { held: HeldQueue; position: number; toldAt: number },
): Promise<HeldQueue> {
  const now = clock.now();
  if (now - held.record.touched_at < TOUCH_MS) return held;
  const position_at = Math.max(held.record.position_at, toldAt);
  const record = { ...held.record, position, position_at, touched_at: now };
  const key = queueKeys.queue(realm.id, held.id);
  const expireIn = queueLifetime(record);
  // Another request for it, or its end, may have come between: then that one counts.
  const result = await durably(
    store,
    () =>
      store.kv.atomic().check({ key, versionstamp: held.versionstamp }).set(key, record, { expireIn })
        .set([...queueKeys.ofUser(realm.id, user.id), held.id], now, { expireIn }).commit(),
  );
  return result.ok ? { ...held, record, versionstamp: result.versionstamp } : held;
}

/**
 * Ends a queue of the caller's own.
 * @throws AppError BAD_EVENT_QUEUE_ID.
 */
export async function deleteQueue(app: ChatApp, owner: QueueOwner, id: string): Promise<void> {
  await getQueue(app, owner, id);
  await transact(app.store, (tx) => {
    removeQueue(tx, { realmId: owner.realm.id, userId: owner.user.id, id });
    return Promise.resolve();
  });
}

/** The refusal of a queue that is not the caller's, or is gone. */
export function badQueue(id: string): AppError {
  return new AppError("BAD_EVENT_QUEUE_ID", `Bad event queue ID: ${id}`, { extra: { queue_id: id } });
}
