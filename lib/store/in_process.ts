import { toValue } from "./key.ts";

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
