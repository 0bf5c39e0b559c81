import type { Clock } from "@/lib/core/clock.ts";
import type { CapacityClient } from "./capacity.ts";

/** Refusals of one client that are answered at once in a second. */
const AT_ONCE = 50;
const SECOND_MS = 1000;
/** Time after which further refusals are answered, in milliseconds. */
const LATER_MS = 2000;

/**
 * Slows down clients that ignore refusals: their first refusals of a second are answered at once, further ones two
 * seconds later. Otherwise refusing would take most of the processor from others.
 */
export class RefusalPace {
  readonly #counts = new Map<string, number>();
  #second = 0;

  constructor(private readonly clock: Pick<Clock, "monotonic">) {}

  /** Counts a refusal; resolves when it should be answered, or returns null for at once. */
  wait({ group, isLocal }: CapacityClient): Promise<void> | null {
    // All clients behind a proxy that forwards no addresses look alike.
    if (isLocal) return null;
    const second = Math.floor(this.clock.monotonic() / SECOND_MS);
    if (second !== this.#second) this.#counts.clear();
    this.#second = second;
    const count = (this.#counts.get(group) ?? 0) + 1;
    this.#counts.set(group, count);
    return count <= AT_ONCE ? null : new Promise((resolve) => setTimeout(resolve, LATER_MS));
  }
}
