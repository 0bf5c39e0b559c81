import { clearImmediate, setImmediate } from "node:timers";
import type { BodyArrival, BodySource } from "@/lib/core/body_arrival.ts";
import { AppError } from "@/lib/core/errors.ts";

/** Limits of the time that a body takes. */
export interface BodyPace {
  /** Time within which the whole body must arrive, in milliseconds. */
  readonly deadlineMs: number;
  /** Time without a byte after which it is given up, in milliseconds. */
  readonly idleMs: number;
}

/** Average rate below which a body is given up, in bytes a second. */
const MIN_RATE = 1024;
/** Time before the rate counts, in milliseconds. */
const GRACE_MS = 10_000;
const TICK_MS = 1000;

/**
 * Measures how fast the body of a request arrives, and reports when it is too slow or was given up. It counts the bytes
 * for the server that watches the request.
 */
export class PaceWatch implements Disposable {
  readonly #start: ReturnType<typeof setImmediate>;
  #timer: ReturnType<typeof setInterval> | undefined;
  readonly #arrival: BodyArrival | null;
  #bytes = 0;
  #totalMs = 0;
  /** Time in which this server waited for the sender. */
  #waitedMs = 0;
  #idleMs = 0;
  /** Whether the reader waits for the sender; a sender is not late while this server keeps it waiting. */
  isWaiting = true;

  constructor({ req, state }: BodySource, pace: BodyPace, onLate: (error: AppError) => void) {
    this.#arrival = state.app.arrivals.find(req);
    this.#arrival?.begin(onLate);
    const tickMs = Math.min(TICK_MS, pace.deadlineMs);
    const tick = () => {
      const problem = this.#findProblem(pace, tickMs);
      if (problem === null) return;
      clearInterval(this.#timer);
      onLate(new AppError("REQUEST_TIMEOUT", problem));
    };
    // A body that has arrived is read before the next turn of the event loop, and needs no timer.
    this.#start = setImmediate(() => this.#timer = setInterval(tick, tickMs));
  }

  /** Counts bytes that have arrived. */
  add(bytes: number): void {
    this.#bytes += bytes;
    this.#idleMs = 0;
    if (this.#arrival !== null) this.#arrival.bytes += bytes;
  }

  [Symbol.dispose](): void {
    clearImmediate(this.#start);
    clearInterval(this.#timer);
    this.#arrival?.end();
  }

  /** Returns what is wrong after another tick, or null. */
  #findProblem({ deadlineMs, idleMs }: BodyPace, tickMs: number): string | null {
    this.#totalMs += tickMs;
    if (this.isWaiting) {
      this.#waitedMs += tickMs;
      this.#idleMs += tickMs;
    }
    if (this.#totalMs >= deadlineMs) return `The body did not arrive within ${deadlineMs / 1000} seconds.`;
    if (this.#idleMs >= idleMs) return "The body did not arrive in time.";
    const isTooSlow = this.#waitedMs > GRACE_MS && this.#bytes < this.#waitedMs / 1000 * MIN_RATE;
    return isTooSlow ? "The body arrived too slowly." : null;
  }
}
