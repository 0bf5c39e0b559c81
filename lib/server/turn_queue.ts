import { setImmediate } from "node:timers";
import type { Clock } from "@/lib/core/clock.ts";
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
/** Probes of the server's health that a client may send in a period without waiting for a turn. */
const PROBES_PER_PERIOD = 5;
/** Weight of the latest period in the mean rate at which requests start. */
const WEIGHT = 0.3;
/** Longest wait for a turn, in milliseconds; a request that would wait longer is refused. */
const MAX_WAIT_MS = 1000;
/** Number of waiting requests up to which none is refused: a slow machine is not overloaded by a few. */
const ALWAYS_WAITING = 256;
/** Periods with waiting requests from which the rate says how long another one would wait: the first is often slow. */
const MEASURED_PERIODS = 3;
/** Part of the work at the same time that one client may have while others are active. */
const RUNNING_QUOTA = 1 / 4;
/** Periods after which a request no longer counts as worked on: it waits for something else, such as its body. */
const RUNNING_PERIODS = 3;

/** The turn of a request; disposing of it ends the request. */
export interface Turn extends Disposable {
  /** Resolves when the request may start; null for now. */
  readonly start: Promise<void> | null;
}

/** Limits of a queue. */
interface TurnLimits {
  /** Whether clients start a limited number of requests in a period. */
  readonly isRateLimited: boolean;
  /** Weight of the requests that are worked on at the same time. */
  readonly maxRunning: number;
}

/** A request with its turn. */
class RunningRequest implements Turn {
  start: Promise<void> | null = null;
  /** Number of the period in which it started. */
  startedIn = 0;

  constructor(
    readonly group: string,
    readonly weight: number,
    private finish: (from: RunningRequest) => void,
  ) {}

  [Symbol.dispose](): void {
    this.finish(this);
  }
}

/** A request that waits for its turn. */
interface WaitingRequest {
  readonly running: RunningRequest;
  readonly start: () => void;
}

/** The requests of a client that wait. */
interface WaitingClient {
  readonly client: CapacityClient;
  /** In the order of arrival, by credentials, those whose turn is next first. */
  readonly queues: Map<string, WaitingRequest[]>;
}

/**
 * Order in which requests start when more arrive than can be handled: clients take turns, and so do the credentials of
 * each client. While several clients are active, each starts a limited number of requests in a period. So a client that
 * sends many requests waits for its own requests, and others only for their turn. A client with one set of credentials
 * that is alone takes no turns while it has few requests.
 */
export class TurnQueue {
  /** By client, those whose turn is next first. */
  readonly #waiting = new Map<string, WaitingClient>();
  #waitingCount = 0;
  /** Requests that are worked on, the oldest first. */
  readonly #running = new Set<RunningRequest>();
  /** Weight of all of them. */
  #runningWeight = 0;
  /** Their weight, by client. */
  readonly #runningOf = new Map<string, number>();
  /** Requests of the period that have started, by client. */
  #starts = new Map<string, number>();
  /** Probes of the period that have started, by client. */
  #probes = new Map<string, number>();
  /** Client and credentials of the period's first request; null before it. */
  #first: { readonly client: CapacityClient; readonly credentials: string } | null = null;
  /** Whether other clients or credentials than the first were active in the period or the one before. */
  #areSeveral = false;
  #wereSeveral = false;
  /** Whether several clients were active in the period before. */
  #wasShared = false;
  #startedInTurn = 0;
  /** Rate at which requests start, over the latest periods; Infinity unless requests waited throughout them. */
  #startsPerMs = Infinity;
  #startsInPeriod = 0;
  /** Periods in a row throughout which requests waited. */
  #saturatedPeriods = 0;
  #period = 0;
  #periodAt = 0;
  /** Whether requests have waited since the period began. */
  #isSaturated = false;
  #isTurnScheduled = false;
  #isPeriodScheduled = false;

  constructor(private readonly limits: TurnLimits, private readonly clock: Pick<Clock, "monotonic">) {}

  /** Whether a new request of a client would have to wait too long at the rate at which requests start. */
  isTooLong({ group }: CapacityClient, credentials: string): boolean {
    if (this.#waitingCount < ALWAYS_WAITING || this.#saturatedPeriods < MEASURED_PERIODS) return false;
    const own = this.#waiting.get(group);
    const before = own?.queues.get(credentials)?.length ?? 0;
    // Clients take turns, and so do the credentials of each.
    const position = this.#waiting.size * (own?.queues.size ?? 1) * (before + 1);
    return Math.min(position, this.#waitingCount) / this.#startsPerMs > MAX_WAIT_MS;
  }

  /** Whether a probe of the server's health may start now, before all requests that wait. */
  startProbe({ group }: CapacityClient): boolean {
    const count = this.#probes.get(group) ?? 0;
    if (count >= PROBES_PER_PERIOD) return false;
    this.#probes.set(group, count + 1);
    this.#schedulePeriod();
    return true;
  }

  /** Gives a request its turn; `weight` is what it counts while it is worked on. */
  take(client: CapacityClient, credentials: string, weight = 1): Turn {
    const running = new RunningRequest(client.group, weight, this.#finish);
    if (this.#isAlone(client, credentials)) {
      this.#run(running);
      return running;
    }
    this.#schedule();
    if (this.#waitingCount === 0 && this.#hasRoom() && this.#mayStart(client)) {
      this.#count(client);
      this.#run(running);
      return running;
    }
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#add(client, credentials, { running, start: resolve });
    running.start = promise;
    return running;
  }

  #run(running: RunningRequest): void {
    running.startedIn = this.#period;
    this.#running.add(running);
    this.#weigh(running, running.weight);
  }

  #remove(running: RunningRequest): void {
    if (this.#running.delete(running)) this.#weigh(running, -running.weight);
  }

  #weigh({ group }: RunningRequest, change: number): void {
    this.#runningWeight += change;
    const weight = (this.#runningOf.get(group) ?? 0) + change;
    if (weight > 0) this.#runningOf.set(group, weight);
    else this.#runningOf.delete(group);
  }

  readonly #finish = (running: RunningRequest): void => {
    this.#remove(running);
    if (this.#waitingCount > 0) this.#schedule();
  };

  /** Whether another request may start in this turn. */
  #hasRoom(): boolean {
    return this.#startedInTurn < STARTS_PER_TURN && this.#runningWeight < this.limits.maxRunning;
  }

  #add(
    client: CapacityClient,
    credentials: string,
    { running, start }: Pick<WaitingRequest, "running" | "start">,
  ): void {
    const entry = this.#waiting.get(client.group) ?? { client, queues: new Map<string, WaitingRequest[]>() };
    const queue = entry.queues.get(credentials) ?? [];
    queue.push({ running, start });
    entry.queues.set(credentials, queue);
    this.#waiting.set(client.group, entry);
    this.#waitingCount++;
  }

  /** Records the active clients; returns whether this one, with these credentials, takes no turns. */
  #isAlone(client: CapacityClient, credentials: string): boolean {
    if (this.#first === null) {
      this.#first = { client, credentials };
      this.#schedulePeriod();
    } else if (this.#first.credentials !== credentials || this.#first.client.group !== client.group) {
      this.#areSeveral = true;
    }
    const isOne = !this.#areSeveral && !this.#wereSeveral;
    return isOne && this.#waitingCount === 0 && this.#runningWeight < this.limits.maxRunning;
  }

  #mayStart({ group, isLocal }: CapacityClient): boolean {
    // All clients behind a proxy that forwards no addresses look like this machine.
    if (!this.limits.isRateLimited || isLocal) return true;
    const isBusy = (this.#runningOf.get(group) ?? 0) >= this.limits.maxRunning * RUNNING_QUOTA;
    if (!isBusy && (this.#starts.get(group) ?? 0) < STARTS_PER_PERIOD) return true;
    return !this.#wasShared && this.#starts.size < 2;
  }

  #count({ group }: CapacityClient): void {
    this.#startedInTurn++;
    this.#startsInPeriod++;
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
    this.#period++;
    this.#forgetLong();
    this.#measure();
    this.#wasShared = this.#starts.size > 1;
    this.#starts = new Map();
    this.#probes = new Map();
    this.#wereSeveral = this.#areSeveral;
    this.#areSeveral = false;
    this.#first = null;
    if (this.#waitingCount > 0 || this.#wasShared) this.#schedule();
    else if (this.#wereSeveral) this.#schedulePeriod();
  }

  /** Ends the count of requests that take long. */
  #forgetLong(): void {
    for (const running of this.#running) {
      if (this.#period - running.startedIn < RUNNING_PERIODS) break;
      this.#remove(running);
    }
  }

  /** Measures the rate at which requests started in the period. */
  #measure(): void {
    const now = this.clock.monotonic();
    const rate = this.#startsInPeriod / (now - this.#periodAt);
    const isFirst = this.#startsPerMs === Infinity;
    const mean = isFirst ? rate : this.#startsPerMs + (rate - this.#startsPerMs) * WEIGHT;
    this.#startsPerMs = this.#isSaturated && now > this.#periodAt ? mean : Infinity;
    this.#saturatedPeriods = this.#isSaturated ? this.#saturatedPeriods + 1 : 0;
    this.#startsInPeriod = 0;
    this.#periodAt = now;
    this.#isSaturated = this.#waitingCount > 0;
  }

  #beginTurn(): void {
    this.#isTurnScheduled = false;
    this.#startedInTurn = 0;
    while (this.#hasRoom()) {
      const next = this.#findNext();
      if (next === null) break;
      this.#start(next);
    }
    if (this.#startedInTurn > 0) this.#schedule();
  }

  /** Returns the client whose turn it is, or null. */
  #findNext(): WaitingClient | null {
    for (const entry of this.#waiting.values()) if (this.#mayStart(entry.client)) return entry;
    return null;
  }

  /** Starts the request of a client whose turn it is, and moves the client and its credentials to the end of theirs. */
  #start({ client, queues }: WaitingClient): void {
    const [next] = queues;
    if (next === undefined) return;
    const [credentials, queue] = next;
    this.#waiting.delete(client.group);
    queues.delete(credentials);
    const request = queue.shift();
    if (queue.length > 0) queues.set(credentials, queue);
    if (queues.size > 0) this.#waiting.set(client.group, { client, queues });
    this.#waitingCount--;
    if (this.#waitingCount === 0) this.#isSaturated = false;
    this.#count(client);
    if (request === undefined) return;
    this.#run(request.running);
    request.start();
  }
}
