import { systemClock } from "@/lib/core/clock.ts";
import { AppError } from "@/lib/core/errors.ts";
import { isOutcomeUnknown } from "./connect/outcome.ts";
import { PATIENCE_MS } from "./file_turn.ts";
import { backOff, isLocked } from "./retry.ts";
import type { StoreTally } from "./store_tally.ts";

/** Whole seconds after which a client may repeat a request that the store failed. */
export const RETRY_AFTER_SECONDS = 5;

/** Attempts at a commit while another process locks the file: for a second and a half. */
const PATIENT_ATTEMPTS = 24;
/** Attempts after a commit that failed. */
const FEW_ATTEMPTS = 4;

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
        await backOff(attempt);
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
