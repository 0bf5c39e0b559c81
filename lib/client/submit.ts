import { useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";

/** Delay before a button shows that it is working, in milliseconds. */
const SLOW_MS = 300;

/** Manages the submission of one form. */
export function useSubmit(firstProblem: string | null) {
  /** Why the last submission failed, or null. */
  const problem = useSignal(firstProblem);
  /** Whether the current submission takes long enough to show it. */
  const isSlow = useSignal(false);
  const isUnderWay = useRef(false);
  /** Runs the work unless some is under way; a thrown error becomes the problem. Returns true on success. */
  const submit = async (work: () => Promise<void>): Promise<boolean> => {
    if (isUnderWay.current) return false;
    isUnderWay.current = true;
    // Emptied first, so that screen readers announce the same message again.
    problem.value = null;
    const timer = setTimeout(() => isSlow.value = true, SLOW_MS);
    try {
      await work();
      return true;
    } catch (error) {
      problem.value = error instanceof Error ? error.message : "Something went wrong. Try again.";
      return false;
    } finally {
      clearTimeout(timer);
      isSlow.value = false;
      isUnderWay.current = false;
    }
  };
  return { problem, isSlow, submit };
}
