import { systemClock } from "@/lib/core/clock.ts";
import { AppError } from "@/lib/core/errors.ts";
import { ReadFailure } from "./database.ts";
import { backOff, isLocked, isOutcomeUnknown, OUTCOME_UNKNOWN } from "./retry.ts";

/** Counters of this process's commits. */
export interface StoreTally {
  /** Changes that ran again because another writer came first. */
  conflicts: number;
  /** Commits that waited because another process locked the file. */
  locked: number;
  /** Commits that the store refused for good. */
  failures: number;
  /** Whether the last commit succeeded. */
  writable: boolean;
  /** Commits that wait for the lock of the store's file; null for a store that is not a file. */
  readonly fileTurn: FileTurn | null;
}

/** Whole seconds after which a client may repeat a request that the store failed. */
export const RETRY_AFTER_SECONDS = 5;

/**
 * Attempts about a millisecond apart, before the pauses grow: another process locks the file for part of a millisecond
 * at a time, and who waits longer is overtaken again and again.
 */
const QUICK_ATTEMPTS = 10;
/** Attempts at a commit while another process locks the file: for a second and a half. */
const PATIENT_ATTEMPTS = QUICK_ATTEMPTS + 24;
/** Attempts after a commit that failed. */
const FEW_ATTEMPTS = QUICK_ATTEMPTS + 2;

/**
 * Runs one commit, again while another process locks the file, and records on the store whether it can be
 * written. `commit` must be safe to run twice; it goes on when it is not answered in time.
 * @throws AppError UNAVAILABLE when the store refuses it, as on a full disk, or does not answer in time.
 */
export async function durably<T>(
  { tally }: { readonly tally: StoreTally },
  commit: () => Promise<T>,
): Promise<T> {
  const { fileTurn } = tally;
  const end = systemClock.monotonic() + PATIENCE_MS;
  for (let attempt = 1;; attempt++) {
    try {
      if (fileTurn !== null && !await fileTurn.isFree()) throw new Error("Another process locks the store.");
      const result = await (fileTurn === null ? commit() : fileTurn.answerOf(commit()));
      tally.writable = true;
      return result;
    } catch (cause) {
      if (cause instanceof AppError) throw cause;
      // Once a commit has waited in vain, those behind it must not wait one after the other.
      const mayRepeat = attempt < (tally.writable ? PATIENT_ATTEMPTS : FEW_ATTEMPTS) &&
        systemClock.monotonic() < end;
      if (isLocked(cause) && mayRepeat) {
        tally.locked++;
        await backOff(attempt - QUICK_ATTEMPTS);
        continue;
      }
      throw toUnavailable(tally, cause);
    }
  }
}

function toUnavailable(tally: StoreTally, cause: unknown): AppError {
  tally.writable = false;
  tally.failures++;
  const message = isOutcomeUnknown(cause)
    ? "The store did not answer. The change may have been made."
    : "The store cannot be written at the moment. Nothing was changed.";
  return new AppError("UNAVAILABLE", message, { retryAfter: RETRY_AFTER_SECONDS, cause });
}

/**
 * Runs work that follows a committed change, such as a notice or a removal of bytes that a sweep would remove
 * as well. Returns null if the work is refused or the store fails: the change is made, and its caller must not
 * learn that it was refused.
 */
export async function afterCommit<T>(work: () => Promise<T>): Promise<T | null> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof AppError || error instanceof ReadFailure) return null;
    throw error;
  }
}

/** Time after which a commit counts as unanswered, in milliseconds; another process may lock the file for longer. */
const PATIENCE_MS = 1500;
/** Time after which further commits wait until one is answered, in milliseconds, so that they can be refused unmade. */
const HELD_MS = 250;

/** Commits to a file, which the lock of another process holds up for as long as it likes. */
export class FileTurn {
  /** Commits that are held up. */
  readonly #held = new Set<Promise<unknown>>();
  readonly #waiting = new Set<() => void>();

  /** Waits while commits are held up; false when they still are after the time that a commit may take. */
  isFree(): boolean | Promise<boolean> {
    if (this.#held.size === 0) return true;
    return new Promise((resolve) => {
      const end = (isFree: boolean) => {
        clearTimeout(timer);
        this.#waiting.delete(start);
        resolve(isFree);
      };
      const start = () => end(true);
      const timer = setTimeout(() => end(false), PATIENCE_MS);
      this.#waiting.add(start);
    });
  }

  /** Waits for a commit, which goes on when it takes longer than a commit may. @throws Error of an unknown outcome. */
  async answerOf<T>(commit: Promise<T>): Promise<T> {
    if (!await isSettledWithin(commit, HELD_MS)) {
      this.#hold(commit);
      if (!await isSettledWithin(commit, PATIENCE_MS - HELD_MS)) throw new Error(OUTCOME_UNKNOWN);
    }
    return await commit;
  }

  #hold(commit: Promise<unknown>): void {
    this.#held.add(commit);
    const release = () => {
      this.#held.delete(commit);
      if (this.#held.size === 0) { for (const start of this.#waiting) start(); }
    };
    commit.then(release, release);
  }
}

async function isSettledWithin(work: Promise<unknown>, ms: number): Promise<boolean> {
  const { promise: end, resolve } = Promise.withResolvers<false>();
  const timer = setTimeout(() => resolve(false), ms);
  try {
    return await Promise.race([work.then(() => true, () => true), end]);
  } finally {
    clearTimeout(timer);
  }
}
