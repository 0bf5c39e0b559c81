import { setImmediate } from "node:timers";
import { joinReads } from "./joined_reads.ts";
import { isStorableKey, type Key, keyName, toValue } from "./key.ts";
import type { Store } from "./open.ts";
import { placeOf } from "./resident.ts";

/** Combines reads that arrive together, which costs the store a fraction of single reads. */
export interface BatchedReads {
  /**
   * Returns the value of a key, or null; null for a key that the store cannot hold. The caller names the type
   * that is written under it.
   */
  read<T>(key: Key): Promise<T | null>;
}

/** Value of a key that the store cannot hold. */
const ABSENT = Promise.resolve(null);

/** Creates batched reads that collect those of one turn of the event loop. */
export function createBatchedReads({ kv, replicas }: Pick<Store, "kv" | "replicas">): BatchedReads {
  // Many requests read the same keys: the organization, its groups, a channel. Each key is read once.
  const read = joinReads(kv, { defer: setImmediate, toResult: ({ value }) => value, isKept: false });
  return {
    read<T>(key: Key) {
      const place = placeOf(key);
      if (place !== null) return replicas.read<T>(key, place);
      // A key that the store cannot hold would fail the whole batch.
      return isStorableKey(key) ? toValue<Promise<T | null>>(read(key, keyName(key))) : ABSENT;
    },
  };
}
