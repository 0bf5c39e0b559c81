import { toValue } from "./key.ts";

/** Runs work of one name in order, and work of different names in parallel. */
export interface NamedQueues {
  run<T>(name: string, work: () => Promise<T>): Promise<T>;
  /** Runs work whose outcome is shared by all callers that ask while it runs; a name has one kind of work. */
  share<T>(name: string, work: () => Promise<T>): Promise<T>;
}

/** Creates queues for one process: writers that would collide in the store take turns. */
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
