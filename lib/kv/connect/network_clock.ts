import { type Clock, systemClock } from "@/lib/core/clock.ts";

/** Length in milliseconds of the second in whole numbers of which servers name their time. */
const SECOND_MS = 1000;

/**
 * The time of a KV Connect server, so that all its processes agree on the time whatever their machines' clocks
 * say. Follows from the Date header of the server's answers; without any, it is the machine's time.
 */
export class NetworkClock implements Clock {
  readonly #machine: Clock;
  /** Bounds of what the server's time is ahead of the machine's, in milliseconds. */
  #least = -Infinity;
  #most = Infinity;

  constructor(machine: Clock = systemClock) {
    this.#machine = machine;
  }

  /** Returns the server's time, which differs from the machine's only where that is certainly another. */
  now(): number {
    return this.#machine.now() + Math.round(Math.min(Math.max(0, this.#least), this.#most));
  }

  monotonic(): number {
    return this.#machine.monotonic();
  }

  /** Sends a request to the server and learns the time from its answer. */
  async observe(send: () => Promise<Response>): Promise<Response> {
    const start = this.#machine.monotonic();
    const response = await send();
    const took = this.#machine.monotonic() - start;
    const named = Date.parse(response.headers.get("date") ?? "");
    if (Number.isFinite(named)) this.#narrow(named - this.#machine.now(), took + SECOND_MS);
    return response;
  }

  /** Combines an observation with the earlier ones; it replaces them when a clock was set since. */
  #narrow(least: number, width: number): void {
    const [bottom, top] = [Math.max(this.#least, least), Math.min(this.#most, least + width)];
    [this.#least, this.#most] = bottom <= top ? [bottom, top] : [least, least + width];
  }
}
