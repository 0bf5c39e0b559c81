import { setImmediate } from "node:timers";
import { chunk } from "es-toolkit/array/chunk";
import { isStorableKey, type Key, keyName, toValue } from "./key.ts";
import { MAX_KEYS } from "./limits.ts";
import type { Store } from "./open.ts";

/** Combines reads that arrive together, which costs the store a fraction of single reads. */
export interface BatchedReads {
  /**
   * Returns the value of a key, or null; null for a key that the store cannot hold. The caller names the type
   * that is written under it.
   */
  read<T>(key: Key): Promise<T | null>;
}

/** The reads of one key, which share its value. */
interface Reading {
  readonly key: Key;
  readonly promise: Promise<unknown>;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** Value of a key that the store cannot hold. */
const ABSENT = Promise.resolve(null);

/** Creates batched reads that collect those of one turn of the event loop. */
export function createBatchedReads({ kv }: Pick<Store, "kv">): BatchedReads {
  // Many requests read the same keys: the organization, its groups, a channel. Each key is read once.
  let waiting = new Map<string, Reading>();
  const flush = () => {
    const all = [...waiting.values()];
    waiting = new Map();
    for (const batch of chunk(all, MAX_KEYS)) readBatch(kv, batch);
  };
  return {
    read<T>(key: Key): Promise<T | null> {
      // One such key would fail the whole batch.
      if (!isStorableKey(key)) return ABSENT;
      const name = keyName(key);
      let reading = waiting.get(name);
      if (reading === undefined) {
        reading = { key, ...Promise.withResolvers<unknown>() };
        if (waiting.size === 0) setImmediate(flush);
        waiting.set(name, reading);
      }
      return toValue<Promise<T | null>>(reading.promise);
    },
  };
}

async function readBatch(kv: Deno.Kv, batch: readonly Reading[]): Promise<void> {
  try {
    const entries = await kv.getMany(batch.map(({ key }) => key));
    batch.forEach(({ resolve }, at) => resolve(entries[at]?.value ?? null));
  } catch (error) {
    // A key that the store rejects must not fail the reads of the others.
    if (batch.length > 1) await Promise.all(batch.map((one) => readBatch(kv, [one])));
    else for (const { reject } of batch) reject(error);
  }
}
