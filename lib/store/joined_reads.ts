import { setImmediate } from "node:timers";
import type { Kv } from "./kv.ts";
import { chunk } from "es-toolkit/array/chunk";
import type { Key } from "./key.ts";
import { MAX_KEYS } from "./limits.ts";

/** Reads a key, which is one that the store can hold, by the text that identifies it. */
export type JoinedRead<T> = (key: Key, name: string) => Promise<T>;

/** Reads an entry. */
export type ReadEntry = JoinedRead<Deno.KvEntryMaybe<unknown>>;

/** Which reads join, and what they return. */
export interface Joining<T> {
  /** Calls a function when all reads that are to join have been requested. */
  readonly defer: (callback: () => void) => void;
  readonly toResult: (entry: Deno.KvEntryMaybe<unknown>) => T;
  /** Whether later reads of a key return the result of the first one. */
  readonly isKept: boolean;
}

/** The reads of one key, which share its result. */
interface Reading<T> {
  readonly key: Key;
  readonly promise: Promise<T>;
  readonly resolve: (result: T) => void;
  readonly reject: (error: unknown) => void;
}

/** Creates reads that join: keys requested together are read together, and each of them once. */
export function joinReads<T>(
  kv: Pick<Kv, "getMany">,
  { defer, toResult, isKept }: Joining<T>,
): JoinedRead<T> {
  let readings = new Map<string, Reading<T>>();
  let waiting: Reading<T>[] = [];
  const flush = () => {
    const all = waiting;
    waiting = [];
    if (!isKept) readings = new Map();
    for (const batch of chunk(all, MAX_KEYS)) readBatch(kv, batch, toResult);
  };
  return (key, name) => {
    let reading = readings.get(name);
    if (reading === undefined) {
      reading = { key, ...Promise.withResolvers<T>() };
      readings.set(name, reading);
      if (waiting.push(reading) === 1) defer(flush);
    }
    return reading.promise;
  };
}

/**
 * Creates reads for changes that are to share a commit, which return entries. The entries age, so every attempt at a
 * commit needs reads of its own.
 */
export function createSharedReads(kv: Kv): ReadEntry {
  // Changes that continue after the same read request their next keys before this microtask.
  return joinReads(kv, { defer: queueMicrotask, toResult: (entry) => entry, isKept: true });
}

/** Creates reads of entries that join those of one turn of the event loop. */
export function createEntryReads(kv: Pick<Kv, "getMany">): ReadEntry {
  return joinReads(kv, { defer: setImmediate, toResult: (entry) => entry, isKept: false });
}

async function readBatch<T>(
  kv: Pick<Kv, "getMany">,
  batch: readonly Reading<T>[],
  toResult: Joining<T>["toResult"],
): Promise<void> {
  try {
    const entries = await kv.getMany<unknown[]>(batch.map(({ key }) => key));
    batch.forEach(({ key, resolve }, at) =>
      resolve(toResult(entries[at] ?? { key, value: null, versionstamp: null }))
    );
  } catch (error) {
    // A key that the store rejects must not fail the reads of the others.
    if (batch.length > 1) await Promise.all(batch.map((one) => readBatch(kv, [one], toResult)));
    else for (const { reject } of batch) reject(error);
  }
}
