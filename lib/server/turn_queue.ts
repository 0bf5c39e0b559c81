import { setImmediate } from "node:timers";
import type { CapacityClient } from "./capacity.ts";

/** Number of requests that start in one turn of the event loop. */
const STARTS_PER_TURN = 8;
/** Length of a period, in milliseconds. */
const PERIOD_MS = 100;
/**
 * Number of requests that a client may start in a period while others are active: five hundred a second, which take a
 * twentieth of a processor.
 */
const STARTS_PER_PERIOD = 50;

/** Callbacks that start waiting requests, in the order of arrival. */
type Line = (() => void)[];

/** The requests of a client that wait. */
interface WaitingClient {
  readonly client: CapacityClient;
  /** By credentials, those whose turn is next first. */
  readonly lines: Map<string, Line>;
}

/**
 * Order in which requests start when more arrive than can be handled: clients take turns, and so do the credentials of
 * each client. While several clients are active, each starts a limited number of requests in a period. So a client that
 * sends many requests waits for its own requests, and others only for their turn. A client with one set of credentials
 * that is alone takes no turns.
 */
export class TurnQueue {
  /** By client, those whose turn is next first. */
  readonly #waiting = new Map<string, WaitingClient>();
  /** Requests of the period that have started, by client. */
  #starts = new Map<string, number>();
  /** Client and credentials of the period's first request; null before it. */
  #first: { readonly client: CapacityClient; readonly credentials: string } | null = null;
  /** Whether other clients or credentials than the first were active in the period or the one before. */
  #areSeveral = false;
  #wereSeveral = false;
  /** Whether several clients were active in the period before. */
  #wasShared = false;
  #startedInTurn = 0;
  #isTurnScheduled = false;
  #isPeriodScheduled = false;

  /** `isRateLimited` is false where the operator turned all limits off. */
  constructor(private readonly isRateLimited: boolean) {}

  /** Resolves when a request may start; null when it may start now. */
  wait(client: CapacityClient, credentials: string): Promise<void> | null {
    if (this.#isAlone(client, credentials)) return null;
    this.#schedule();
    if (this.#waiting.size === 0 && this.#startedInTurn < STARTS_PER_TURN && this.#mayStart(client)) {
      this.#count(client);
      return null;
    }
    const { promise, resolve } = Promise.withResolvers<void>();
    const entry = this.#waiting.get(client.group) ?? { client, lines: new Map<string, Line>() };
    const line = entry.lines.get(credentials) ?? [];
    line.push(resolve);
    entry.lines.set(credentials, line);
    this.#waiting.set(client.group, entry);
    return promise;
  }

  /** Records the active clients; returns whether this one, with these credentials, is the only one. */
  #isAlone(client: CapacityClient, credentials: string): boolean {
    if (this.#first === null) {
      this.#first = { client, credentials };
      this.#schedulePeriod();
    } else if (this.#first.credentials !== credentials || this.#first.client.group !== client.group) {
      this.#areSeveral = true;
    }
    return !this.#areSeveral && !this.#wereSeveral && this.#waiting.size === 0;
  }

  #mayStart({ group, isLocal }: CapacityClient): boolean {
    // All clients behind a proxy that forwards no addresses look like this machine.
    if (!this.isRateLimited || isLocal || (this.#starts.get(group) ?? 0) < STARTS_PER_PERIOD) return true;
    return !this.#wasShared && this.#starts.size < 2;
  }

  #count({ group }: CapacityClient): void {
    this.#startedInTurn++;
    this.#starts.set(group, (this.#starts.get(group) ?? 0) + 1);
  }

  #schedule(): void {
    if (!this.#isTurnScheduled) {
      this.#isTurnScheduled = true;
      setImmediate(() => this.#beginTurn());
    }
    this.#schedulePeriod();
  }

  #schedulePeriod(): void {
    if (!this.#isPeriodScheduled) {
      this.#isPeriodScheduled = true;
      setTimeout(() => this.#beginPeriod(), PERIOD_MS);
    }
  }

  #beginPeriod(): void {
    this.#isPeriodScheduled = false;
    this.#wasShared = this.#starts.size > 1;
    this.#starts = new Map();
    this.#wereSeveral = this.#areSeveral;
    this.#areSeveral = false;
    this.#first = null;
    if (this.#waiting.size > 0 || this.#wasShared) this.#schedule();
    else if (this.#wereSeveral) this.#schedulePeriod();
  }

  #beginTurn(): void {
    this.#isTurnScheduled = false;
    this.#startedInTurn = 0;
    while (this.#startedInTurn < STARTS_PER_TURN) {
      const start = this.#takeNext();
      if (start === null) break;
      start();
    }
    if (this.#startedInTurn > 0) this.#schedule();
  }

  /** Removes the request whose turn it is, and moves its client and credentials to the end of theirs. */
  #takeNext(): (() => void) | null {
    for (const [group, entry] of this.#waiting) {
      if (!this.#mayStart(entry.client)) continue;
      this.#waiting.delete(group);
      this.#count(entry.client);
      for (const [credentials, line] of entry.lines) {
        entry.lines.delete(credentials);
        const start = line.shift() ?? null;
        if (line.length > 0) entry.lines.set(credentials, line);
        if (entry.lines.size > 0) this.#waiting.set(group, entry);
        return start;
      }
    }
    return null;
  }
}
