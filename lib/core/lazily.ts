/**
 * Wraps a function so that it runs on the first call only and later calls return its result; a failure is
 * tried again.
 */
export function lazily<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | null = null;
  return () => {
    made ??= make().catch((error) => {
      made = null;
      throw error;
    });
    return made;
  };
}

/**
 * Returns a promise that is awaited after others: its failure is thrown where it is awaited. Without this, a failure
 * before that would be an unhandled rejection.
 */
export function startAhead<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => {});
  return promise;
}
