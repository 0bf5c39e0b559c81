import { systemClock } from "@/lib/core/clock.ts";

/** Time after which changes without pause rest, in milliseconds. */
const STREAK_MS = 200;
/** Length of a rest, in milliseconds: longer than the pause between two attempts of another process. */
const REST_MS = 25;

/**
 * Rests of one organization's changes in this process. While a process changes an organization without pause, hardly a
 * commit of another process that relies on it succeeds.
 */
export class Rests {
  #since = 0;
  #last = 0;
  #rest: Promise<void> | null = null;

  /** Waits until the next change may be made. */
  async wait(): Promise<void> {
    if (this.#rest !== null) return await this.#rest;
    const now = systemClock.monotonic();
    if (now - this.#last > REST_MS) this.#since = now;
    this.#last = now;
    if (now - this.#since > STREAK_MS) await (this.#rest = this.#begin());
  }

  async #begin(): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, REST_MS));
    this.#since = this.#last = systemClock.monotonic();
    this.#rest = null;
  }
}
