import { setImmediate } from "node:timers";
import type { ChatApp } from "../app.ts";
import { EVENT_LIFETIME_MS, eventSignal } from "../events/emit.ts";
import { type NumberedEvent, readEvents } from "./read_events.ts";

/** The most events of an organization that are kept at hand. */
export const MAX_AT_HAND = 20_000;
/**
 * Events are looked for so many milliseconds before the newest one: so far may a commit lag behind the time that its
 * events bear (a locked store is tried for four seconds), and the clocks of two servers of one store be apart.
 */
export const SLACK_MS = 10_000;
/** Milliseconds between two looks for what other processes commit. */
export const RECHECK_MS = 1000;
/** So many times as long as a look takes passes until the next one: much traffic makes answers later, not everything. */
const PACE = 9;
/** Requests that go on in one turn of the event loop. */
const WOKEN_AT_ONCE = 50;

/** The newest events of one organization, for all who wait for them in this process. */
export class Tail implements Disposable {
  readonly #app: ChatApp;
  readonly #realmId: number;
  readonly #ears: Disposable;
  readonly #waiting = new Set<() => void>();
  #events: NumberedEvent[] = [];
  #floor = 0;
  #head = 0;
  #newestAt = 0;
  #isFirst = true;
  #isDirty = true;
  #isStuck = false;
  #readAt = -Infinity;
  #tookMs = 0;
  #running: Promise<void> | null = null;
  #next: Promise<void> | null = null;
  #soon: ReturnType<typeof setTimeout> | null = null;
  #recheck: ReturnType<typeof setInterval> | null = null;

  constructor(app: ChatApp, realmId: number) {
    this.#app = app;
    this.#realmId = realmId;
    this.#ears = app.store.bell.listen(eventSignal(realmId), () => {
      this.#isDirty = true;
      if (this.#waiting.size > 0) this.#lookSoon();
    });
  }

  /** The id of the newest event that is known; 0 where there was none lately. */
  get head(): number {
    return this.#head;
  }

  /** Whether somebody waits for the next event. */
  get isWaitedFor(): boolean {
    return this.#waiting.size > 0;
  }

  /** Settles once everything is known that this process committed before, and others a second ago. */
  async settle(): Promise<void> {
    const age = this.#app.clock.monotonic() - this.#readAt;
    if (this.#isDirty || age >= RECHECK_MS) await this.#look();
    else await this.#running;
  }

  /** The events after the one with this id, in order; from the store where it is long ago. */
  async after(id: number): Promise<readonly NumberedEvent[]> {
    if (id < this.#floor) {
      const head = this.#head;
      const { events } = await readEvents(this.#app, this.#realmId, {
        from: this.#app.clock.now() - EVENT_LIFETIME_MS,
        limit: Infinity,
        isAnyOrder: true,
      });
      return events.filter((event) => event.id > id && event.id <= head);
    }
    const at = this.#events.findLastIndex((event) => event.id <= id);
    return this.#events.slice(at + 1);
  }

  /** Settles when there are events after the one with this id, or the signal says to wait no longer. */
  wait(id: number, signal: AbortSignal): Promise<void> {
    if (this.#head > id || signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const wake = () => {
        signal.removeEventListener("abort", wake);
        this.#waiting.delete(wake);
        if (this.#waiting.size === 0) this.#stopLooking();
        resolve();
      };
      signal.addEventListener("abort", wake);
      this.#waiting.add(wake);
      this.#recheck ??= setInterval(() => this.#lookSoon(), RECHECK_MS);
      if (this.#isDirty) this.#lookSoon();
    });
  }

  [Symbol.dispose](): void {
    this.#ears[Symbol.dispose]();
    this.#wakeAll();
    this.#stopLooking();
  }

  /**
   * A few at a time, so that others are served in between. Who was answered last is the first: there it is likelier that
   * something is for him again than where nothing was for long.
   */
  async #wakeAll(): Promise<void> {
    const all = [...this.#waiting].reverse();
    for (let at = 0; at < all.length; at += WOKEN_AT_ONCE) {
      for (const wake of all.slice(at, at + WOKEN_AT_ONCE)) wake();
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  #stopLooking(): void {
    if (this.#recheck !== null) clearInterval(this.#recheck);
    if (this.#soon !== null) clearTimeout(this.#soon);
    this.#recheck = null;
    this.#soon = null;
  }

  #lookSoon(): void {
    const rest = PACE * this.#tookMs - (this.#app.clock.monotonic() - this.#readAt);
    this.#soon ??= setTimeout(async () => {
      this.#soon = null;
      // Where the store cannot be read, the next look is in a second, and who asks anew is told.
      const isRead = await this.#look().then(() => true, () => false);
      if (isRead && this.#isDirty && this.#waiting.size > 0) this.#lookSoon();
    }, Math.max(0, rest));
  }

  /** One look at a time; who comes during one waits for the next, as what he knows of may have come too late for it. */
  #look(): Promise<void> {
    if (this.#running === null) return this.#startLook();
    this.#next ??= this.#running.catch(() => {}).then(() => {
      this.#next = null;
      return this.#running ?? this.#startLook();
    });
    return this.#next;
  }

  #startLook(): Promise<void> {
    this.#running = this.#readAndWake().finally(() => this.#running = null);
    return this.#running;
  }

  async #readAndWake(): Promise<void> {
    const before = this.#head;
    this.#isDirty = false;
    try {
      await this.#read();
    } catch (error) {
      this.#isDirty = true;
      throw error;
    }
    if (this.#head > before) this.#wakeAll();
  }

  async #read(): Promise<void> {
    const started = this.#app.clock.monotonic();
    const now = this.#app.clock.now();
    const from = this.#isFirst ? now - EVENT_LIFETIME_MS : Math.min(this.#newestAt, now) - SLACK_MS;
    const limit = this.#isFirst ? MAX_AT_HAND : Infinity;
    // Where nothing else comes, what was left out is no longer being committed.
    const isAnyOrder = this.#isStuck;
    const read = await readEvents(this.#app, this.#realmId, { from, limit, isAnyOrder });
    const { events, isPartial, isCut } = read;
    // What is older than the oldest that was read may have been committed a little later.
    const oldest = events.reduce((least, { at }) => Math.min(least, at), Infinity);
    if (isCut) this.#floor = events.findLast(({ at }) => at <= oldest + SLACK_MS)?.id ?? this.#floor;
    this.#head = Math.max(this.#head, this.#floor);
    const fresh = events.filter(({ id }) => id > this.#head);
    this.#take(fresh);
    this.#isFirst = false;
    this.#isStuck = isPartial && fresh.length === 0;
    if (isPartial) this.#isDirty = true;
    this.#readAt = this.#app.clock.monotonic();
    this.#tookMs = this.#readAt - started;
  }

  #take(fresh: readonly NumberedEvent[]): void {
    for (const event of fresh) {
      this.#events.push(event);
      this.#head = event.id;
      this.#newestAt = Math.max(this.#newestAt, event.at);
    }
    const horizon = this.#app.clock.now() - EVENT_LIFETIME_MS;
    const stale = this.#events.findIndex(({ at }) => at >= horizon);
    const gone = Math.max(stale < 0 ? this.#events.length : stale, this.#events.length - MAX_AT_HAND);
    this.#floor = Math.max(this.#floor, this.#events[gone - 1]?.id ?? 0);
    if (gone > 0) this.#events = this.#events.slice(gone);
  }
}
