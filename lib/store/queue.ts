import { toValue } from "./key.ts";

/** Runs work of one name in order, and work of different names in parallel. */
export interface NamedQueues {
  run<T>(name: string, work: () => Promise<T>): Promise<T>;
  /** Returns how much work of a name runs or waits. */
  length(name: string): number;
  /** Runs work whose outcome is shared by all callers that ask while it runs; a name has one kind of work. */
  share<T>(name: string, work: () => Promise<T>): Promise<T>;
}

/** Creates queues for one process: writers that would collide in the store take turns. */
export function createNamedQueues(): NamedQueues {
  const tails = new Map<string, { readonly last: Promise<unknown>; readonly length: number }>();
  const shared = new Map<string, Promise<unknown>>();
  return {
    run(name, work) {
      const { last, length } = tails.get(name) ?? { last: Promise.resolve(), length: 0 };
      const result = last.then(work, work);
      const end = result.catch(() => {}).then(() => {
        const tail = tails.get(name);
        if (tail === undefined || tail.length === 1) tails.delete(name);
        else tails.set(name, { ...tail, length: tail.length - 1 });
      });
      tails.set(name, { last: end, length: length + 1 });
      return result;
    },
    length: (name) => tails.get(name)?.length ?? 0,
    async share<T>(name: string, work: () => Promise<T>) {
      const running = shared.get(name) ?? work().finally(() => shared.delete(name));
      shared.set(name, running);
      return toValue<T>(await running);
    },
  };
}
