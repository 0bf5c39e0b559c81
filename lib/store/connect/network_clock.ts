import { type Clock, systemClock } from "@/lib/core/clock.ts";

/** Resolution of the times that servers send, in milliseconds. */
const SECOND_MS = 1000;

/**
 * The time of a KV Connect server, so that all its processes agree on the time whatever their machines' clocks
 * say. Follows from the Date header of the server's answers; without any, it is the machine's time.
 */
export class NetworkClock implements Clock {
  readonly #machine: Clock;
  /** Bounds of the time by which the server is ahead of the machine, in milliseconds. */
  #least = -Infinity;
  #most = Infinity;

  constructor(machine: Clock = systemClock) {
    this.#machine = machine;
  }

  /** Returns the machine's time, or the nearest time that the server's answers allow. */
  now(): number {
    return this.#machine.now() + Math.round(Math.min(Math.max(0, this.#least), this.#most));
  }

  monotonic(): number {
    return this.#machine.monotonic();
  }

  /** Sends a request to the server and takes its time from the answer. */
  async observe(send: () => Promise<Response>): Promise<Response> {
    const start = this.#machine.monotonic();
    const response = await send();
    const took = this.#machine.monotonic() - start;
    const named = Date.parse(response.headers.get("date") ?? "");
    if (Number.isFinite(named)) this.#narrow(named - this.#machine.now(), took + SECOND_MS);
    return response;
  }

  /** Combines an observation with the earlier ones, or replaces them if a clock was set since. */
  #narrow(least: number, width: number): void {
    const [bottom, top] = [Math.max(this.#least, least), Math.min(this.#most, least + width)];
    [this.#least, this.#most] = bottom <= top ? [bottom, top] : [least, least + width];
  }
}
