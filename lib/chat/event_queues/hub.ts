import { AppError } from "@/lib/core/errors.ts";
import type { ChatApp } from "../app.ts";
import { Tail } from "./tail.ts";

/** Why a client is answered although nothing happened. */
export type WaitEnd = "nothing happened" | "another request" | "stopping" | "client is gone";

/** Requests for events that may wait at the same time in one process. */
export const MAX_WAITING = 10_000;
/** Requests of one account that may wait; the one that waited longest is answered to make room. */
export const MAX_WAITING_PER_USER = 200;
/** Milliseconds after which a client is answered that nothing happened: well before it gives up. */
const PATIENCE_MS = 50_000;
/** Milliseconds from one answer to the next one for the same queue: what happens meanwhile comes together. */
const PAUSE_MS = 150;

/** A request that waits for events. */
export interface Waiter extends Disposable {
  /** Aborted when it is to be answered in any case; its reason is a WaitEnd. */
  readonly signal: AbortSignal;
}

/** Who waits, and for which queue. */
export interface WaiterOf {
  readonly realmId: number;
  readonly userId: number;
  readonly queueId: string;
  /** Aborted when the client is gone. */
  readonly client: AbortSignal;
  /** How long it may wait, in milliseconds; as long as most where that is left out. */
  readonly patienceMs?: number;
}

/** What of event delivery is kept in memory: nothing that a restart would miss. */
export interface EventHub {
  readonly app: ChatApp;
  /** How long clients wait, in milliseconds. */
  readonly patience: { ms: number };
  /** How many requests wait. */
  readonly waiting: number;
  /** The newest events of an organization. */
  tail(realmId: number): Tail;
  /**
   * Notes a request that may wait; an older one for the same queue is answered at once.
   * @throws AppError UNAVAILABLE when too many wait.
   */
  enter(waiter: WaiterOf): Waiter;
  /** Settles when a queue that was just answered may be answered again; null where that is so now. */
  pause(queueId: string): Promise<void> | null;
  /** Answers the request that waits for a queue. */
  end(queueId: string): void;
  /** Answers all who wait, and everybody who comes later, at once. */
  stop(): void;
}

interface Entered {
  readonly user: string;
  readonly controller: AbortController;
}

/** A hub that nobody waits at yet. */
export function createEventHub(app: ChatApp): EventHub {
  return new Hub(app);
}

class Hub implements EventHub {
  readonly patience = { ms: PATIENCE_MS };
  readonly #tails = new Map<number, Tail>();
  /** By queue, those who came first in front. */
  readonly #entered = new Map<string, Entered>();
  readonly #byUser = new Map<string, Set<string>>();
  /** By queue, of monotonic milliseconds; those that were answered last at the end. */
  readonly #answeredAt = new Map<string, number>();
  #isStopped = false;

  constructor(readonly app: ChatApp) {}

  get waiting(): number {
    return this.#entered.size;
  }

  tail(realmId: number): Tail {
    const tail = this.#tails.get(realmId) ?? new Tail(this.app, realmId);
    this.#tails.set(realmId, tail);
    return tail;
  }

  enter({ realmId, userId, queueId, client, patienceMs = this.patience.ms }: WaiterOf): Waiter {
    const user = `${realmId} ${userId}`;
    this.end(queueId);
    const [oldest] = this.#byUser.get(user) ?? [];
    if (oldest !== undefined && (this.#byUser.get(user)?.size ?? 0) >= MAX_WAITING_PER_USER) this.end(oldest);
    if (this.#entered.size >= MAX_WAITING) throw tooMany();
    const one = { user, controller: new AbortController() };
    const { controller } = one;
    this.#entered.set(queueId, one);
    this.#byUser.set(user, (this.#byUser.get(user) ?? new Set()).add(queueId));
    if (this.#isStopped) controller.abort("stopping");
    const timer = setTimeout(() => controller.abort("nothing happened"), patienceMs);
    const leave = () => controller.abort("client is gone");
    client.addEventListener("abort", leave);
    // Who left before is not told of again.
    if (client.aborted) leave();
    return {
      signal: controller.signal,
      [Symbol.dispose]: () => {
        clearTimeout(timer);
        client.removeEventListener("abort", leave);
        if (this.#entered.get(queueId) === one) this.#leave(queueId, one);
        this.#noteAnswer(queueId);
      },
    };
  }

  pause(queueId: string): Promise<void> | null {
    const answeredAt = this.#answeredAt.get(queueId) ?? -Infinity;
    const rest = PAUSE_MS - (this.app.clock.monotonic() - answeredAt);
    return rest <= 0 ? null : new Promise((resolve) => setTimeout(resolve, rest));
  }

  #noteAnswer(queueId: string): void {
    this.#answeredAt.delete(queueId);
    this.#answeredAt.set(queueId, this.app.clock.monotonic());
    const [oldest] = this.#answeredAt.keys();
    if (this.#answeredAt.size > MAX_WAITING && oldest !== undefined) this.#answeredAt.delete(oldest);
  }

  end(queueId: string): void {
    const one = this.#entered.get(queueId);
    if (one === undefined) return;
    this.#leave(queueId, one);
    one.controller.abort("another request");
  }

  stop(): void {
    this.#isStopped = true;
    for (const { controller } of this.#entered.values()) controller.abort("stopping");
    for (const tail of this.#tails.values()) tail[Symbol.dispose]();
  }

  #leave(queueId: string, { user }: Entered): void {
    this.#entered.delete(queueId);
    const own = this.#byUser.get(user);
    own?.delete(queueId);
    if (own?.size === 0) this.#byUser.delete(user);
  }
}

function tooMany(): AppError {
  return new AppError("UNAVAILABLE", "Too many clients wait for events at the moment.", { retryAfter: 5 });
}
