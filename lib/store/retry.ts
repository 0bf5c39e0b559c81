import { errorMessage } from "@/lib/core/errors.ts";

/** Number of attempts at a write while another process locks the store's file. */
export const LOCK_ATTEMPTS = 30;
const FIRST_WAIT_MS = 2;
const LONGEST_WAIT_MS = 120;

/** Whether the store refused a write because another process was writing; nothing was written then. */
export function isLocked(error: unknown): boolean {
  return /database (table )?is locked|SQLITE_BUSY/i.test(errorMessage(error));
}

/** Waits a random time that grows with each attempt, so that competitors do not meet again. */
export function backOff(attempt: number): Promise<void> {
  const longest = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** attempt);
  const spread = crypto.getRandomValues(new Uint32Array(1))[0] ?? 0;
  const wait = 1 + longest * (spread / 0xffffffff);
  return new Promise((resolve) => setTimeout(resolve, wait));
}

/** Runs reads, and again with growing pauses when the store fails them, as a network store does that is away. */
export async function retryReads<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1;; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (attempt >= LOCK_ATTEMPTS) throw error;
      await backOff(attempt);
    }
  }
}

/** Runs `work`, and again with growing pauses while the store is locked; other errors pass through. */
export async function retryLocked<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 0;; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (!isLocked(error) || attempt + 1 >= LOCK_ATTEMPTS) throw error;
      await backOff(attempt);
    }
  }
}

/** Text of the failure of a call that the store may have carried out. */
export const OUTCOME_UNKNOWN = "The store did not answer; the call may have been carried out.";
/** Text of the failure of a call that changed nothing: a read, or a call that did not reach the store. */
export const UNREACHABLE = "The store cannot be reached.";

/** Whether a failed commit may have been carried out: its connection was lost, or its answer did not arrive in time. */
export function isOutcomeUnknown(error: unknown): boolean {
  return errorMessage(error).includes(OUTCOME_UNKNOWN);
}
