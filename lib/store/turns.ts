import { systemClock } from "@/lib/core/clock.ts";
import { toValue } from "./key.ts";

interface Waiting {
  readonly isAlone: boolean;
  readonly start: () => void;
}

/** Work that runs together with its like, or alone: in the order of its arrival. */
export class Turns {
  readonly #waiting: Waiting[] = [];
  #running = 0;
  #isAlone = false;

  /** Runs work that nothing else runs beside, or beside which all other work but such runs. */
  async run<T>(isAlone: boolean, work: () => Promise<T>): Promise<T> {
    if (this.#waiting.length > 0 || !this.#mayStart(isAlone)) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#waiting.push({ isAlone, start: resolve });
      await promise;
    } else {
      this.#start(isAlone);
    }
    try {
      return await work();
    } finally {
      this.#running--;
      this.#isAlone = false;
      this.#startNext();
    }
  }

  #mayStart(isAlone: boolean): boolean {
    return this.#running === 0 || !isAlone && !this.#isAlone;
  }

  #start(isAlone: boolean): void {
    this.#running++;
    this.#isAlone = isAlone;
  }

  #startNext(): void {
    for (let next = this.#waiting[0]; next !== undefined && this.#mayStart(next.isAlone);) {
      this.#waiting.shift();
      this.#start(next.isAlone);
      next.start();
      next = this.#waiting[0];
    }
  }
}

/** Time after which changes without pause rest, in milliseconds. */
const STREAK_MS = 200;
/** Least length of a rest, in milliseconds: longer than the pause between two attempts of another process. */
const REST_MS = 25;
/** Greatest length of a rest, in milliseconds: one change may have taken minutes, or a clock may have jumped. */
const LONGEST_REST_MS = 250;
/** Length of a rest in changes: on a busy machine, an attempt of another process takes as long as a change or two. */
const REST_CHANGES = 8;

/**
 * Rests of one organization's changes in this process. While a process changes an organization without pause, hardly a
 * commit of another process that relies on it succeeds.
 */
export class Rests {
  /** Start of the changes without pause, their number so far, and how many are under way. */
  #since = 0;
  #made = 0;
  #running = 0;
  #endedAt = 0;
  #rest: Promise<void> | null = null;

  /** Runs a change, after a rest if one is due. */
  async run<T>(change: () => Promise<T>): Promise<T> {
    await this.#wait();
    this.#running++;
    try {
      return await change();
    } finally {
      this.#running--;
      this.#made++;
      this.#endedAt = systemClock.monotonic();
    }
  }

  async #wait(): Promise<void> {
    if (this.#rest !== null) return await this.#rest;
    const now = systemClock.monotonic();
    const wanted = REST_CHANGES * (now - this.#since) / Math.max(1, this.#made);
    const length = Math.min(LONGEST_REST_MS, Math.max(REST_MS, wanted));
    if (this.#running === 0 && now - this.#endedAt > REST_MS) this.#begin(now);
    if (now - this.#since > STREAK_MS && this.#made > 0) await (this.#rest = this.#pause(length));
  }

  async #pause(length: number): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, length));
    this.#begin(systemClock.monotonic());
    this.#rest = null;
  }

  #begin(now: number): void {
    this.#since = now;
    this.#made = 0;
  }
}

/** Runs work of one name in order, and work of different names in parallel, so that writers do not collide. */
export class NamedQueues {
  readonly #tails = new Map<string, { readonly last: Promise<unknown>; readonly length: number }>();
  readonly #shared = new Map<string, Promise<unknown>>();

  run<T>(name: string, work: () => Promise<T>): Promise<T> {
    const { last, length } = this.#tails.get(name) ?? { last: Promise.resolve(), length: 0 };
    const result = last.then(work, work);
    const end = result.catch(() => {}).then(() => {
      const tail = this.#tails.get(name);
      if (tail === undefined || tail.length === 1) this.#tails.delete(name);
      else this.#tails.set(name, { ...tail, length: tail.length - 1 });
    });
    this.#tails.set(name, { last: end, length: length + 1 });
    return result;
  }

  /** Returns how much work of a name runs or waits. */
  length(name: string): number {
    return this.#tails.get(name)?.length ?? 0;
  }

  /** Runs work whose outcome is shared by all callers that ask while it runs; a name has one kind of work. */
  async share<T>(name: string, work: () => Promise<T>): Promise<T> {
    const running = this.#shared.get(name) ?? work().finally(() => this.#shared.delete(name));
    this.#shared.set(name, running);
    return toValue<T>(await running);
  }
}

/** Signals commits to listeners in this process; nothing is kept without a listener. */
export class CommitSignals {
  readonly #listeners = new Map<string, Set<() => void>>();

  /** Calls `listener` after each commit that signaled `name`, until the result is disposed of. */
  listen(name: string, listener: () => void): Disposable {
    const same = this.#listeners.get(name) ?? new Set();
    this.#listeners.set(name, same.add(listener));
    return {
      [Symbol.dispose]: () => {
        same.delete(listener);
        if (same.size === 0 && this.#listeners.get(name) === same) this.#listeners.delete(name);
      },
    };
  }

  /** Sends the signals of a commit; call it after the commit. */
  notify(names: Iterable<string>): void {
    for (const name of names) this.#listeners.get(name)?.forEach((listener) => listener());
  }
}
