import type { BodyArrival, BodyArrivals } from "@/lib/core/body_arrival.ts";
import type { Clock } from "@/lib/core/clock.ts";
import type { CapacityClient, Slot } from "./capacity.ts";

/** Time after which a body that still arrives may be given up, in milliseconds. */
const PATIENCE_MS = 2000;
/** Rate at which a body is never given up, in bytes a millisecond. */
const FAST_RATE = 16;
/** Bodies of one client that are given up in a second: a client that sends them anew must not cost much. */
const MAX_GIVEN_UP = 8;
const SECOND_MS = 1000;

/** A body that is arriving. */
interface ArrivingBody {
  readonly slot: Slot;
  readonly startedAt: number;
  readonly arrival: BodyArrival;
}

/** The bodies that are arriving; the slowest gives its slot to another request when there is none left. */
export class SlowBodies {
  readonly #arriving = new Set<ArrivingBody>();
  /** Bodies given up in the current second, by client. */
  readonly #givenUp = new Map<string, number>();
  #second = 0;

  constructor(
    private readonly clock: Pick<Clock, "monotonic">,
    private readonly arrivals: BodyArrivals,
  ) {}

  /** Watches the body of a request until it was read, or until the returned watch is disposed of. */
  watch(request: Request, slot: Slot): Disposable {
    const forget = () => void this.#arriving.delete(arriving);
    const arrival = this.arrivals.watch(request, forget);
    const arriving = { slot, startedAt: this.clock.monotonic(), arrival };
    this.#arriving.add(arriving);
    return { [Symbol.dispose]: forget };
  }

  /**
   * Gives up the slowest body of a client, or of all of them, and frees its slot; false when none is slow, or when
   * enough were given up in this second.
   */
  giveUpSlowest(client: CapacityClient | null): boolean {
    const name = client?.group ?? "";
    const now = this.clock.monotonic();
    const second = Math.floor(now / SECOND_MS);
    if (second !== this.#second) this.#givenUp.clear();
    this.#second = second;
    const givenUp = this.#givenUp.get(name) ?? 0;
    const slowest = givenUp >= MAX_GIVEN_UP ? null : this.#findSlowest(client, now);
    if (slowest === null) return false;
    this.#givenUp.set(name, givenUp + 1);
    this.#arriving.delete(slowest);
    slowest.arrival.giveUp();
    slowest.slot[Symbol.dispose]();
    return true;
  }

  #findSlowest(client: CapacityClient | null, now: number): ArrivingBody | null {
    let slowest: { readonly body: ArrivingBody; readonly rate: number } | null = null;
    for (const body of this.#arriving) {
      const age = now - body.startedAt;
      const rate = body.arrival.bytes / age;
      if (age < PATIENCE_MS || rate >= (slowest?.rate ?? FAST_RATE)) continue;
      if (client === null || body.slot.client.group === client.group) slowest = { body, rate };
    }
    return slowest?.body ?? null;
  }
}
