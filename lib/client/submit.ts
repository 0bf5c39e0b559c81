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
export function useSubmit(firstProblem: string | null = null): Submission {
  const problem = useSignal(firstProblem);
  const isSlow = useSignal(false);
  const isUnderWay = useRef(false);

  const submit = async (work: () => Promise<void>): Promise<boolean> => {
    if (isUnderWay.current) return false;
    isUnderWay.current = true;
    const timer = setTimeout(() => isSlow.value = true, SLOW_MS);
    try {
      await work();
      problem.value = null;
      return true;
    } catch (error) {
      // A region that is given the words it has already is not read out again.
      problem.value = null;
      await Promise.resolve();
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
