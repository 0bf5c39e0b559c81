import { toValue } from "./key.ts";

/** Runs pieces of work of one name one after the other, and those of different names side by side. */
export interface NamedQueues {
  run<T>(name: string, work: () => Promise<T>): Promise<T>;
  /** Runs work of which all who ask while it runs are given the same outcome; a name has one kind of work. */
  share<T>(name: string, work: () => Promise<T>): Promise<T>;
}

/** Queues for one process: they turn writers that would collide in the store into an orderly line. */
export function createNamedQueues(): NamedQueues {
  const tails = new Map<string, Promise<unknown>>();
  const shared = new Map<string, Promise<unknown>>();
  return {
    run(name, work) {
      const before = tails.get(name) ?? Promise.resolve();
      const result = before.then(work, work);
      const tail = result.catch(() => {}).then(() => {
        if (tails.get(name) === tail) tails.delete(name);
      });
      tails.set(name, tail);
      return result;
    },
    async share<T>(name: string, work: () => Promise<T>) {
      const running = shared.get(name) ?? work().finally(() => shared.delete(name));
      shared.set(name, running);
      return toValue<T>(await running);
    },
  };
}
