import { setImmediate } from "node:timers";

/** Long work that waits to go on, in the order of its arrival. */
const waiting: (() => void)[] = [];

/**
 * Lets the event loop serve everything that is ready before the caller continues. Of the callers who wait, one continues
 * in each turn, so that the slices of simultaneous work do not add up to one long turn.
 */
export function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => {
    if (waiting.push(resolve) === 1) setImmediate(resumeNext);
  });
}

function resumeNext(): void {
  waiting.shift()?.();
  if (waiting.length > 0) setImmediate(resumeNext);
}

/** Waits for the next turn of the event loop, together with everyone else who does. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
