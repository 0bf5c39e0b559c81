import { deleteDue, moveDue } from "@/lib/store/due_worker.ts";
import type { Entry } from "@/lib/store/key.ts";
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

/** Requeues a leased job for another attempt; gives it up and returns false if it would be too old then. */
export async function retryJob(store: Store, job: Entry<PushSendJob>, now: number): Promise<boolean> {
  const { attempts, sent_at } = job.value;
  const due = now + (RETRY_DELAYS_MS[Math.min(attempts, RETRY_DELAYS_MS.length - 1)] ?? 0);
  const isTooOld = due - sent_at >= GIVE_UP_MS;
  if (isTooOld) await deleteDue(store, [job]);
  else await moveDue(store, [job], due, (value) => ({ ...value, attempts: attempts + 1 }));
  return !isTooOld;
}
