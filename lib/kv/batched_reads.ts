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

interface Waiting {
  readonly key: Key;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** Creates batched reads that collect those of one turn of the event loop. */
export function createBatchedReads({ kv }: Pick<Store, "kv">): BatchedReads {
  let waiting: Waiting[] = [];
  const flush = () => {
    const all = waiting;
    waiting = [];
    // Many requests read the same keys: the organization, its groups, a channel. Each key is read once.
    const byKey = [...Map.groupBy(all, ({ key }) => keyName(key)).values()];
    for (const batch of chunk(byKey, MAX_KEYS)) readBatch(kv, batch);
  };
  return {
    async read<T>(key: Key): Promise<T | null> {
      // One such key would fail the whole batch.
      if (!isStorableKey(key)) return null;
      const { promise, resolve, reject } = Promise.withResolvers<unknown>();
      if (waiting.push({ key, resolve, reject }) === 1) setImmediate(flush);
      return toValue<T | null>(await promise);
    },
  };
}

/** Reads of one key. */
type SameKey = readonly Waiting[];

async function readBatch(kv: Deno.Kv, batch: readonly SameKey[]): Promise<void> {
  try {
    const entries = await kv.getMany(batch.map(([first]) => first?.key ?? []));
    for (const [at, same] of batch.entries()) {
      for (const { resolve } of same) resolve(entries[at]?.value ?? null);
    }
  } catch (error) {
    // A key that the store rejects must not fail the reads of the others.
    if (batch.length > 1) await Promise.all(batch.map((same) => readBatch(kv, [same])));
    else for (const { reject } of batch.flat()) reject(error);
  }
}
