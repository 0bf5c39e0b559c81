/** Work that starts when its turn comes. */
type Start = () => Promise<void>;

/** Runs work one after the other; the accounts whose work waits take turns. */
export function createImageTurns() {
  // By account, those whose turn is next first.
  const lines = new Map<string, Start[]>();
  let isRunning = false;
  const startNext = async () => {
    if (isRunning) return;
    isRunning = true;
    for (let start = takeNext(lines); start !== null; start = takeNext(lines)) await start();
    isRunning = false;
  };
  return {
    /** Runs work of an account in its turn. */
    run<T>(owner: string, work: () => Promise<T>): Promise<T> {
      const { promise, resolve } = Promise.withResolvers<T>();
      const line = lines.get(owner) ?? [];
      line.push(async () => {
        const result = Promise.try(work);
        resolve(result);
        await result.catch(() => {});
      });
      lines.set(owner, line);
      startNext();
      return promise;
    },
    /** Returns how much work of an account waits. */
    waitingOf: (owner: string): number => lines.get(owner)?.length ?? 0,
    /** Returns how much work waits. */
    waiting: (): number => lines.values().reduce((sum, { length }) => sum + length, 0),
  };
}

/** Removes the work whose turn it is, and moves its account to the end. */
function takeNext(lines: Map<string, Start[]>): Start | null {
  for (const [owner, line] of lines) {
    lines.delete(owner);
    const start = line.shift() ?? null;
    if (line.length > 0) lines.set(owner, line);
    return start;
  }
  return null;
}
