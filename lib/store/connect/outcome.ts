import { errorMessage } from "@/lib/core/errors.ts";

/** Text of the failure of a call that the store may have carried out. */
export const OUTCOME_UNKNOWN = "The store did not answer; the call may have been carried out.";
/** Text of the failure of a call that changed nothing: a read, or a call that did not reach the store. */
export const UNREACHABLE = "The store cannot be reached.";

/** Whether a failed commit may have been carried out: its connection was lost, or its answer did not arrive in time. */
export function isOutcomeUnknown(error: unknown): boolean {
  return errorMessage(error).includes(OUTCOME_UNKNOWN);
}
