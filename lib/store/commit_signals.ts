/** Signals commits to listeners in this process; nothing is kept without a listener. */
export interface CommitSignals {
  /** Calls `listener` after each commit that signaled `name`, until the result is disposed of. */
  listen(name: string, listener: () => void): Disposable;
  /** Sends the signals of a commit; call it after the commit. */
  notify(names: Iterable<string>): void;
}

/** Creates signals without listeners. */
export function createCommitSignals(): CommitSignals {
  const listeners = new Map<string, Set<() => void>>();
  return {
    listen(name, listener) {
      const same = listeners.get(name) ?? new Set();
      listeners.set(name, same.add(listener));
      return {
        [Symbol.dispose]: () => {
          same.delete(listener);
          if (same.size === 0 && listeners.get(name) === same) listeners.delete(name);
        },
      };
    },
    notify(names) {
      for (const name of names) listeners.get(name)?.forEach((listener) => listener());
    },
  };
}
