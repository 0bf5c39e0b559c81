/** Tells those in this process who listen that something was committed; nothing is kept for those who do not. */
export interface CommitSignals {
  /** Calls `hear` for each commit that rang this name, until the result is disposed of. */
  listen(name: string, hear: () => void): Disposable;
  /** To be called after a commit, with the names that it rang. */
  notify(names: Iterable<string>): void;
}

/** A bell that nobody listens to yet. */
export function createCommitSignals(): CommitSignals {
  const listeners = new Map<string, Set<() => void>>();
  return {
    listen(name, hear) {
      const same = listeners.get(name) ?? new Set();
      listeners.set(name, same.add(hear));
      return {
        [Symbol.dispose]: () => {
          same.delete(hear);
          if (same.size === 0 && listeners.get(name) === same) listeners.delete(name);
        },
      };
    },
    notify(names) {
      for (const name of names) listeners.get(name)?.forEach((hear) => hear());
    },
  };
}
