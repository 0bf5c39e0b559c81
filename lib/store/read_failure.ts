import { errorMessage } from "@/lib/core/errors.ts";
import { backOff, isLocked, LOCK_ATTEMPTS } from "./retry.ts";

/** Error of a read that the store did not answer; clients may repeat their request. */
export class ReadFailure extends Error {
  override readonly name = "ReadFailure";

  constructor(cause: unknown) {
    super(`The store cannot be read: ${errorMessage(cause)}`, { cause });
  }
}

/**
 * Makes reads of a store throw ReadFailure when the store fails, and repeats them while it is locked; a read
 * with invalid arguments still throws TypeError or RangeError. Returns the same store.
 */
export function reportReadFailures(kv: Deno.Kv): Deno.Kv {
  const [get, getMany, list] = [kv.get.bind(kv), kv.getMany.bind(kv), kv.list.bind(kv)];
  const watched: Pick<Deno.Kv, "get" | "getMany" | "list"> = {
    get<T>(...args: Parameters<typeof get>) {
      const read = () => get<T>(...args);
      return read().catch((error) => recover(error, read));
    },
    getMany<T extends readonly unknown[]>(
      keys: readonly [...{ [K in keyof T]: Deno.KvKey }],
      options?: { consistency?: Deno.KvConsistencyLevel },
    ) {
      const read = () => getMany<T>(keys, options);
      return read().catch((error) => recover(error, read));
    },
    list: <T>(...args: Parameters<typeof list>) => watchSteps(list<T>(...args)),
  };
  return Object.assign(kv, watched);
}

function watchSteps<T>(listing: Deno.KvListIterator<T>): Deno.KvListIterator<T> {
  const next = listing.next.bind(listing);
  return Object.assign(listing, { next: () => next().catch((error) => recover(error, next)) });
}

/** Runs a failed read again while the store is locked. */
async function recover<T>(failure: unknown, read: () => Promise<T>): Promise<T> {
  let error = failure;
  for (let attempt = 1; isLocked(error) && attempt < LOCK_ATTEMPTS; attempt++) {
    await backOff(attempt);
    try {
      return await read();
    } catch (again) {
      error = again;
    }
  }
  throw error instanceof TypeError || error instanceof RangeError ? error : new ReadFailure(error);
}
