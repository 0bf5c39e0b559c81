/** Source of the time, so that tests can set it. */
export interface Clock {
  /** Returns milliseconds since 1970 UTC; may step back when the machine's clock is set. */
  now(): number;
  /** Returns milliseconds that never step back, for durations. */
  monotonic(): number;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
};
