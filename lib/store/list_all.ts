import type { Kv } from "./kv.ts";
import { type Entry, type Key, keyAfter, toEntry } from "./key.ts";
import { backOff } from "./retry.ts";

/** Failures of reads in a row after which a listing fails. */
const ATTEMPTS = 30;

/**
 * Lists every entry of a store in the order of keys. A read that fails is repeated from the last entry onward, so
 * that a network store may be away for some seconds.
 */
export async function* listAll(kv: Kv): AsyncGenerator<Entry<unknown>> {
  let start: Key = [];
  for (let failed = 0;;) {
    try {
      for await (const entry of kv.list({ start: [...start], end: [true] }, { batchSize: 100 })) {
        failed = 0;
        start = keyAfter(entry.key);
        yield toEntry<unknown>(entry);
      }
      return;
    } catch (error) {
      if (++failed >= ATTEMPTS) throw error;
      await backOff(failed);
    }
  }
}
