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

/** Number of values that are converted before the event loop takes its turn. */
const SLICE = 500;

/**
 * Converts values in slices, between which the event loop takes its turn; few values are converted at once.
 * @param slice number of values of a slice; fewer for a costly conversion.
 */
export async function mapInSlices<T, R>(
  values: Iterable<T>,
  convert: (value: T) => R,
  slice = SLICE,
): Promise<R[]> {
  const converted: R[] = [];
  for (const value of values) {
    if (converted.length > 0 && converted.length % slice === 0) await yieldToEventLoop();
    converted.push(convert(value));
  }
  return converted;
}

/**
 * Wraps a function so that it runs on the first call only and later calls return its result; a failure is
 * tried again.
 */
export function lazily<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | null = null;
  return () => {
    made ??= make().catch((error) => {
      made = null;
      throw error;
    });
    return made;
  };
}

/**
 * Returns a promise that is awaited after others: its failure is thrown where it is awaited. Without this, a failure
 * before that would be an unhandled rejection.
 */
export function startAhead<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => {});
  return promise;
}
