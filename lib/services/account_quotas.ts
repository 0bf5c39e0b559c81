import { AppError } from "@/lib/core/errors.ts";

/** Number of requests of one account that may be in flight: a quarter of all. */
export const MAX_PER_ACCOUNT = 256;
/** Number of requests of one organization's accounts that may be in flight: half of all. */
const MAX_PER_ORGANIZATION = 512;
const RETRY_SECONDS = 1;

/** Creates the counts of requests in flight by account and organization, from whatever addresses they come. */
export function createAccountQuotas() {
  /** Keys under which each open request counts. */
  const open = new WeakMap<Request, string[]>();
  const counts = new Map<string, number>();
  const enter = (keys: string[], key: string, limit: number) => {
    const count = counts.get(key) ?? 0;
    if (count >= limit) throw tooMany();
    counts.set(key, count + 1);
    keys.push(key);
  };
  const leave = (key: string) => {
    const count = counts.get(key) ?? 0;
    if (count <= 1) counts.delete(key);
    else counts.set(key, count - 1);
  };
  return {
    /** Begins to count a request, once its account is known; disposing ends it. */
    open(request: Request): Disposable {
      const keys: string[] = [];
      open.set(request, keys);
      return {
        [Symbol.dispose]() {
          open.delete(request);
          keys.forEach(leave);
        },
      };
    },
    /**
     * Counts a request for its account and organization. Repeated calls, and requests that were not opened, do not
     * count.
     * @throws AppError UNAVAILABLE when the quota of either is used up.
     */
    attribute(
      request: Request,
      { realmId, userId }: { readonly realmId: number; readonly userId: number },
    ): void {
      const keys = open.get(request);
      if (keys === undefined || keys.length > 0) return;
      enter(keys, `${realmId}`, MAX_PER_ORGANIZATION);
      enter(keys, `${realmId} ${userId}`, MAX_PER_ACCOUNT);
    },
  };
}

function tooMany(): AppError {
  return new AppError("UNAVAILABLE", "Too many requests of this account or organization are in progress.", {
    retryAfter: RETRY_SECONDS,
  });
}
