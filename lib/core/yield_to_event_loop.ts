import { setImmediate } from "node:timers";

/** Lets the event loop serve everything that is ready before the caller continues. */
export function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
