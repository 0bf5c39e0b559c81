import { durably } from "@/lib/kv/durably.ts";
import { type Entry, type Key, toEntry } from "@/lib/kv/key.ts";
import type { Store } from "@/lib/kv/open.ts";
import type { NotificationReason } from "./reason.ts";

/** That one device is to be told something. */
interface SendAttempts {
  /** How often it could not be told. */
  readonly attempts: number;
  /** When that came to pass of which it is told, in milliseconds since 1970 UTC. */
  readonly sent_at: number;
}

/** That one device is to be told of one message. */
export interface PushMessageSend extends SendAttempts {
  readonly reason: NotificationReason;
}

/** That one device is to take back what it was told of some messages. */
export interface PushRemovalSend extends SendAttempts {
  /** The ids of the messages. */
  readonly removed: readonly number[];
}

/** That one device is to be told of one message, or that some are read. */
export type PushSendJob = PushMessageSend | PushRemovalSend;

/** Whom a job tells of what. */
export interface SendPlace {
  readonly realmId: number;
  readonly userId: number;
  readonly deviceId: number;
  readonly messageId: number;
}

/** Where it lies which device is to be told of which message, by when that is due in milliseconds since 1970 UTC. */
export const sendKeys = {
  sends: ["push_send"],
  send: (due: number, { realmId, userId, deviceId, messageId }: SendPlace): Key => [
    "push_send",
    due,
    realmId,
    userId,
    deviceId,
    messageId,
  ],
  /** What takes messages back lies under the first of them. */
  removal: (due: number, place: SendPlace): Key => [...sendKeys.send(due, place), "removed"],
} as const;

/** How long a device's job is kept from others, in milliseconds: longer than the bouncer may take twice. */
export const SEND_LEASE_MS = 30_000;
/** How long a message is kept from others, in milliseconds; whoever takes longer notices that it is not his any more. */
export const FAN_OUT_LEASE_MS = 10_000;
const SECOND = 1000;
const MINUTE = 60 * SECOND;
/** After that long a message is no news, in milliseconds. */
export const GIVE_UP_MS = 60 * MINUTE;
/** Pauses after the first failures; the last one is kept. */
const PAUSES_MS = [5 * SECOND, 15 * SECOND, 30 * SECOND, MINUTE, 2 * MINUTE, 5 * MINUTE, 10 * MINUTE];

/** The jobs of a queue that are due at `now`, the earliest first; what somebody works on is not among them. */
export async function listDue<T>(
  { kv }: Store,
  queue: Key,
  { now, limit }: { now: number; limit: number },
): Promise<Entry<T>[]> {
  const due: Entry<T>[] = [];
  const selector = { start: [...queue], end: [...queue, now + 1] };
  for await (const entry of kv.list(selector, { limit })) due.push(toEntry<T>(entry));
  return due;
}

/** Takes jobs for the time of a lease, all or none; null where somebody else has taken one of them. */
export async function claim<T>(
  store: Store,
  jobs: readonly Entry<T>[],
  leaseEnd: number,
): Promise<Entry<T>[] | null> {
  const moved = jobs.map(({ key, value }) => ({ key: withDue(key, leaseEnd), value }));
  const result = await durably(store, () => {
    const atomic = store.kv.atomic().check(...jobs);
    for (const { key } of jobs) atomic.delete(key);
    for (const { key, value } of moved) atomic.set(key, value);
    return atomic.commit();
  });
  return result.ok ? moved.map((job) => ({ ...job, versionstamp: result.versionstamp })) : null;
}

/** Removes jobs that are done; what others have taken meanwhile stays theirs. */
export async function finish(store: Store, jobs: readonly Entry<unknown>[]): Promise<void> {
  if (jobs.length === 0) return;
  await durably(store, () => {
    const atomic = store.kv.atomic();
    for (const { key } of jobs) atomic.delete(key);
    return atomic.commit();
  });
}

/** Puts a claimed job back for another try, or gives it up; false when it was given up. */
export async function putBack(store: Store, job: Entry<PushSendJob>, now: number): Promise<boolean> {
  const { attempts, sent_at } = job.value;
  const due = now + (PAUSES_MS[Math.min(attempts, PAUSES_MS.length - 1)] ?? 0);
  const isOver = due - sent_at >= GIVE_UP_MS;
  const value: PushSendJob = { ...job.value, attempts: attempts + 1 };
  await durably(store, () => {
    const atomic = store.kv.atomic().check(job).delete(job.key);
    return (isOver ? atomic : atomic.set(withDue(job.key, due), value)).commit();
  });
  return !isOver;
}

function withDue(key: Key, due: number): Key {
  return [...key.slice(0, 1), due, ...key.slice(2)];
}

/** Whom a job tells of what, as its key has it. */
export function placeOf({ key }: Pick<Entry<PushSendJob>, "key">): SendPlace {
  const [realmId = 0, userId = 0, deviceId = 0, messageId = 0] = key.slice(2).map(Number);
  return { realmId, userId, deviceId, messageId };
}
