import { createLru } from "@/lib/core/lru.ts";
import { AppError } from "@/lib/core/errors.ts";
import type { ChatApp } from "@/lib/chat/organization/app.ts";
import { Tail } from "./tail.ts";

/** Maximum number of requests for events that wait at the same time in one process. */
export const MAX_WAITING = 10_000;
/** Maximum number of requests of one account that wait, far above what its clients and open pages need. */
export const MAX_WAITING_PER_USER = 100;
/** Seconds after which a client is asked to try again when too many requests wait. */
const RETRY_SECONDS = 5;
/**
 * Milliseconds after which a waiting request is answered with a heartbeat: well before the client times out.
 */
const MAX_WAIT_MS = 50_000;
/**
 * Milliseconds between two responses for the same queue, so that the events of the meantime are delivered
 * together.
 */
const PAUSE_MS = 150;

export interface Waiter extends Disposable {
  /**
   * Aborted when the request has to be answered. Its reason is "nothing happened", "another request",
   * "stopping" or "client is gone".
   */
  readonly signal: AbortSignal;
}

/** Request to wait for the events of a queue. */
interface WaitRequest {
  readonly realmId: number;
  readonly userId: number;
  readonly queueId: string;
  /** Aborted when the client disconnects. */
  readonly client: AbortSignal;
  /** Maximum time to wait, in milliseconds; the hub's own maximum by default. */
  readonly maxWaitMs?: number;
}

interface WaitingRequest {
  readonly user: string;
  readonly controller: AbortController;
}

/** In-memory state of event delivery; none of it has to survive a restart. */
export class EventHub {
  /** Maximum time that clients wait, in milliseconds. */
  readonly maxWait = { ms: MAX_WAIT_MS };
  readonly #tails = new Map<number, Tail>();
  /** By queue id. */
  readonly #waiting = new Map<string, WaitingRequest>();
  /** Number of waiting requests by account. */
  readonly #counts = new Map<string, number>();
  /** Times of the last responses by queue id, in monotonic milliseconds. */
  readonly #respondedAt = createLru<string, number>(MAX_WAITING);
  #isStopped = false;

  constructor(readonly app: ChatApp) {}

  get waiting(): number {
    return this.#waiting.size;
  }

  tail(realmId: number): Tail {
    const tail = this.#tails.get(realmId) ?? new Tail(this.app, realmId);
    this.#tails.set(realmId, tail);
    return tail;
  }

  /**
   * Registers a request that may wait. An older request for the same queue is answered at once.
   * @throws AppError UNAVAILABLE when too many requests wait, RATE_LIMIT_HIT when too many of the account do.
   */
  enter({ realmId, userId, queueId, client, maxWaitMs = this.maxWait.ms }: WaitRequest): Waiter {
    const user = `${realmId} ${userId}`;
    this.end(queueId);
    if (this.#waiting.size >= MAX_WAITING) {
      throw new AppError("UNAVAILABLE", "Too many clients are waiting for events.", {
        retryAfter: RETRY_SECONDS,
      });
    }
    if ((this.#counts.get(user) ?? 0) >= MAX_WAITING_PER_USER) {
      const text = "Too many clients and pages of this account are waiting for events.";
      throw new AppError("RATE_LIMIT_HIT", text, { retryAfter: RETRY_SECONDS });
    }
    const request = { user, controller: new AbortController() };
    const { controller } = request;
    this.#waiting.set(queueId, request);
    this.#counts.set(user, (this.#counts.get(user) ?? 0) + 1);
    if (this.#isStopped) controller.abort("stopping");
    const timer = setTimeout(() => controller.abort("nothing happened"), maxWaitMs);
    const leave = () => controller.abort("client is gone");
    client.addEventListener("abort", leave);
    // A signal that is aborted already fires no event.
    if (client.aborted) leave();
    return {
      signal: controller.signal,
      [Symbol.dispose]: () => {
        clearTimeout(timer);
        client.removeEventListener("abort", leave);
        if (this.#waiting.get(queueId) === request) this.#leave(queueId, request);
        this.#respondedAt.set(queueId, this.app.clock.monotonic());
      },
    };
  }

  /** Resolves when a queue that was just answered may be answered again; null when it may be answered now. */
  pause(queueId: string): Promise<void> | null {
    const respondedAt = this.#respondedAt.get(queueId) ?? -Infinity;
    const pause = PAUSE_MS - (this.app.clock.monotonic() - respondedAt);
    return pause <= 0 ? null : new Promise((resolve) => setTimeout(resolve, pause));
  }

  /** Answers the request that waits for a queue. */
  end(queueId: string): void {
    const request = this.#waiting.get(queueId);
    if (request === undefined) return;
    this.#leave(queueId, request);
    request.controller.abort("another request");
  }

  /** Answers all waiting requests, and every later one at once. */
  stop(): void {
    this.#isStopped = true;
    for (const { controller } of this.#waiting.values()) controller.abort("stopping");
    for (const tail of this.#tails.values()) tail[Symbol.dispose]();
  }

  #leave(queueId: string, { user }: WaitingRequest): void {
    this.#waiting.delete(queueId);
    const count = this.#counts.get(user) ?? 0;
    if (count > 1) this.#counts.set(user, count - 1);
    else this.#counts.delete(user);
  }
}
