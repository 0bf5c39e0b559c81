import { durably } from "@/lib/store/durably.ts";
import { type Entry, type Key, toEntry } from "@/lib/store/key.ts";
import type { Store } from "@/lib/store/open.ts";
import type { PushSendJob } from "./model.ts";

/** Lease of a job for a device, in milliseconds: more than twice the time that the bouncer may take. */
export const SEND_LEASE_MS = 30_000;
/**
 * Lease of a message's fan-out, in milliseconds. Slower work fails at its next commit if another process took
 * over.
 */
export const FAN_OUT_LEASE_MS = 10_000;
const SECOND = 1000;
const MINUTE = 60 * SECOND;
/** Age from which a message no longer notifies, in milliseconds. */
export const GIVE_UP_MS = 60 * MINUTE;
/** Delays before retries, in milliseconds; the last one repeats. */
const RETRY_DELAYS_MS = [5 * SECOND, 15 * SECOND, 30 * SECOND, MINUTE, 2 * MINUTE, 5 * MINUTE, 10 * MINUTE];

/** Returns the jobs of a queue that are due at `now`, earliest first. Leased jobs are not due. */
export async function listDueJobs<T>(
  { kv }: Store,
  queue: Key,
  { now, limit }: { now: number; limit: number },
): Promise<Entry<T>[]> {
  const due: Entry<T>[] = [];
  const selector = { start: [...queue], end: [...queue, now + 1] };
  for await (const entry of kv.list(selector, { limit })) due.push(toEntry<T>(entry));
  return due;
}

/** Leases all of the jobs until `leaseEnd`; null if another process has taken one of them. */
export async function claimJobs<T>(
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

/** Deletes finished jobs. Jobs that another process has taken meanwhile have other keys and stay. */
export async function finishJobs(store: Store, jobs: readonly Entry<unknown>[]): Promise<void> {
  if (jobs.length === 0) return;
  await durably(store, () => {
    const atomic = store.kv.atomic();
    for (const { key } of jobs) atomic.delete(key);
    return atomic.commit();
  });
}

/** Requeues a leased job for another attempt; gives it up and returns false if it would be too old then. */
export async function retryJob(store: Store, job: Entry<PushSendJob>, now: number): Promise<boolean> {
  const { attempts, sent_at } = job.value;
  const due = now + (RETRY_DELAYS_MS[Math.min(attempts, RETRY_DELAYS_MS.length - 1)] ?? 0);
  const isTooOld = due - sent_at >= GIVE_UP_MS;
  const value: PushSendJob = { ...job.value, attempts: attempts + 1 };
  await durably(store, () => {
    const atomic = store.kv.atomic().check(job).delete(job.key);
    return (isTooOld ? atomic : atomic.set(withDue(job.key, due), value)).commit();
  });
  return !isTooOld;
}

function withDue(key: Key, due: number): Key {
  return [...key.slice(0, 1), due, ...key.slice(2)];
}
