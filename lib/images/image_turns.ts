/** Work that starts when its turn comes. */
type Start = () => Promise<void>;

/** Runs work one after the other; the accounts whose work waits take turns. */
export function createImageTurns() {
  // By account, those whose turn is next first.
  const queues = new Map<string, Start[]>();
  let isRunning = false;
  const startNext = async () => {
    if (isRunning) return;
    isRunning = true;
    for (let start = takeNext(queues); start !== null; start = takeNext(queues)) await start();
    isRunning = false;
  };
  return {
    /** Runs work of an account in its turn. */
    run<T>(owner: string, work: () => Promise<T>): Promise<T> {
      const { promise, resolve } = Promise.withResolvers<T>();
      const queue = queues.get(owner) ?? [];
      queue.push(async () => {
        const result = Promise.try(work);
        resolve(result);
        await result.catch(() => {});
      });
      queues.set(owner, queue);
      startNext();
      return promise;
    },
    /** Returns how much work of an account waits. */
    waitingOf: (owner: string): number => queues.get(owner)?.length ?? 0,
    /** Returns how much work waits. */
    waiting: (): number => queues.values().reduce((sum, { length }) => sum + length, 0),
  };
}

/** Removes the work whose turn it is, and moves its account to the end. */
function takeNext(queues: Map<string, Start[]>): Start | null {
  for (const [owner, queue] of queues) {
    queues.delete(owner);
    const start = queue.shift() ?? null;
    if (queue.length > 0) queues.set(owner, queue);
    return start;
  }
  return null;
}
