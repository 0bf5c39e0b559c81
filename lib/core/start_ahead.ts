/**
 * Returns a promise that is awaited after others: its failure is thrown where it is awaited. Without this, a failure
 * before that would be an unhandled rejection.
 */
export function startAhead<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => {});
  return promise;
}
