import { AppError } from "@/lib/core/errors.ts";
import { isOutcomeUnknown } from "./connect/outcome.ts";
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
 * written. `commit` must be safe to run twice.
 * @throws AppError UNAVAILABLE when the store refuses it, as on a full disk.
 */
export async function durably<T>(
  store: { readonly tally: StoreTally },
  commit: () => Promise<T>,
): Promise<T> {
  for (let attempt = 1;; attempt++) {
    try {
      const result = await commit();
      store.tally.writable = true;
      return result;
    } catch (cause) {
      if (cause instanceof AppError) throw cause;
      // Once a commit has waited in vain, those behind it must not wait one after the other.
      if (isLocked(cause) && attempt < (store.tally.writable ? PATIENT_ATTEMPTS : FEW_ATTEMPTS)) {
        store.tally.locked++;
        await backOff(attempt);
        continue;
      }
      store.tally.writable = false;
      store.tally.failures++;
      const message = isOutcomeUnknown(cause)
        ? "The store did not answer. The change may have been made."
        : "The store cannot be written at the moment. Nothing was changed.";
      throw new AppError("UNAVAILABLE", message, { retryAfter: RETRY_AFTER_SECONDS, cause });
    }
  }
}
