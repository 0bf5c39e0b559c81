import { type ReadonlySignal, useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";

/** A button says that it waits only when one would begin to wonder. */
const SLOW_MS = 300;

/** What a form knows about its submission. */
export interface Submission {
  /** Why the last submission failed, or null. */
  readonly problem: ReadonlySignal<string | null>;
  /** Whether the submission under way takes long enough to say so. */
  readonly isSlow: ReadonlySignal<boolean>;
  /** Does the work unless some is under way; what it throws becomes the problem. True when it was done. */
  readonly submit: (work: () => Promise<void>) => Promise<boolean>;
}

/** Owns submitting, failing and having finished, for one form. */
export function useSubmit(firstProblem: string | null): Submission {
  const problem = useSignal(firstProblem);
  const isSlow = useSignal(false);
  const isUnderWay = useRef(false);

  const submit = async (work: () => Promise<void>): Promise<boolean> => {
    if (isUnderWay.current) return false;
    isUnderWay.current = true;
    // Emptied before the next one, so that the same words are read out a second time.
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
