/** Where the time comes from, so that tests can set it. */
export interface Clock {
  /** Milliseconds since 1970 UTC; may step back when the machine's clock is set. */
  now(): number;
  /** Milliseconds that never step back, for durations. */
  monotonic(): number;
}

/** The machine's own clock. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
};
