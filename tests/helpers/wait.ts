import { inspect } from "node:util";

/** Milliseconds after which a condition counts as one that never comes: a guard against hanging, not a measurement. */
const GIVE_UP_MS = 180_000;
const FIRST_PAUSE_MS = 1;
const LONGEST_PAUSE_MS = 200;
const GROWTH = 1.5;

/** Options of a wait. */
export interface WaitOptions<T> {
  /** Whether a state is the one waited for; without it, any truthy state is. */
  readonly isMet?: (state: T) => boolean;
  /** Text that helps to understand a failure, such as a server's log. */
  readonly explain?: () => string;
  /** Milliseconds after which the wait fails; 180,000 by default. */
  readonly giveUpMs?: number;
}

/**
 * Reads a state again and again, with growing pauses, until it meets the condition, and returns it. A read that throws
 * counts as a state that does not meet it.
 * @param condition What is waited for, as the failure names it.
 * @throws Error with the condition, the last state and `explain()` when the condition never comes.
 */
export async function waitFor<T>(
  condition: string,
  read: () => T | Promise<T>,
  { isMet = Boolean, explain, giveUpMs = GIVE_UP_MS }: WaitOptions<T> = {},
): Promise<T> {
  const start = performance.now();
  for (let pauseMs = FIRST_PAUSE_MS;; pauseMs = Math.min(pauseMs * GROWTH, LONGEST_PAUSE_MS)) {
    let state: unknown;
    try {
      const found = await read();
      if (isMet(found)) return found;
      state = found;
    } catch (error) {
      state = error;
    }
    const waitedMs = performance.now() - start;
    if (waitedMs > giveUpMs) {
      throw new Error(toFailure(`Waited ${Math.round(waitedMs)} ms for: ${condition}`, state, explain));
    }
    await pause(pauseMs);
  }
}

/**
 * Awaits a promise that must settle.
 * @param condition What is waited for, as the failure names it.
 * @throws Error with the condition and `explain()` when the promise never settles.
 */
export async function settled<T>(
  condition: string,
  promise: Promise<T>,
  { explain, giveUpMs = GIVE_UP_MS }: Pick<WaitOptions<T>, "explain" | "giveUpMs"> = {},
): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    late.reject(
      new Error(toFailure(`Waited ${giveUpMs} ms for: ${condition}`, "a promise that is pending", explain)),
    );
  }, giveUpMs);
  try {
    return await Promise.race([promise, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

function toFailure(problem: string, state: unknown, explain: (() => string) | undefined): string {
  const lines = [problem, `Last state: ${inspect(state, { depth: 6 })}`];
  if (explain !== undefined) lines.push(explain());
  return lines.join("\n");
}
