import { chunk } from "es-toolkit/array/chunk";
import type { Key } from "./key.ts";
import { MAX_KEYS } from "./limits.ts";

/** Reads an entry by its key, which is one that the store can hold, and the text that identifies it. */
export type ReadEntry = (key: Key, name: string) => Promise<Deno.KvEntryMaybe<unknown>>;

interface Reading {
  readonly key: Key;
  readonly promise: Promise<Deno.KvEntryMaybe<unknown>>;
  readonly resolve: (entry: Deno.KvEntryMaybe<unknown>) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Creates reads for changes that are to share a commit: each key is read once, and keys that are asked for together
 * are read together. The entries age, so every attempt at a commit needs reads of its own.
 */
export function createSharedReads(kv: Deno.Kv): ReadEntry {
  const readings = new Map<string, Reading>();
  let waiting: Reading[] = [];
  const flush = () => {
    const all = waiting;
    waiting = [];
    for (const batch of chunk(all, MAX_KEYS)) readBatch(kv, batch);
  };
  return (key, name) => {
    let reading = readings.get(name);
    if (reading === undefined) {
      reading = { key, ...Promise.withResolvers<Deno.KvEntryMaybe<unknown>>() };
      readings.set(name, reading);
      // Changes that continue after the same read ask for their next keys before this microtask.
      if (waiting.push(reading) === 1) queueMicrotask(flush);
    }
    return reading.promise;
  };
}

async function readBatch(kv: Deno.Kv, batch: readonly Reading[]): Promise<void> {
  try {
    const entries = await kv.getMany<unknown[]>(batch.map(({ key }) => key));
    for (const [at, { key, resolve }] of batch.entries()) {
      resolve(entries[at] ?? { key, value: null, versionstamp: null });
    }
  } catch (error) {
    for (const { reject } of batch) reject(error);
  }
}
