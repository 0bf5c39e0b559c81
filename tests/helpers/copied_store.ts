import assert from "node:assert/strict";
import { chunk } from "es-toolkit/array/chunk";
import { CommitSignals, NamedQueues } from "@/lib/store/turns.ts";
import { type Key, keyText } from "@/lib/store/key.ts";
import { openStore, type Store } from "@/lib/store/open.ts";
import { BlobWrites } from "@/lib/store/blob.ts";
import { cacheReads, freeze, type StoredEntry } from "./read_cache.ts";

/** A row of a store. */
export interface StoredRow {
  readonly key: Key;
  /** Text of the key. */
  readonly name: string;
  readonly value: unknown;
}

/** Whether every read goes to the database, and none is answered from memory. */
const READS_DATABASE = Deno.env.get("TEST_READS") === "database";
/** Mutations of one commit, of which the store takes 1,000 at the most. */
const COMMIT_ROWS = 500;

/** Lists all rows of a store, without the times at which they expire. Their values are frozen. */
export async function listRows({ kv }: Store): Promise<StoredRow[]> {
  return await Array.fromAsync(
    kv.list({ start: [], end: [true] }),
    ({ key, value }) => ({ key, name: keyText(key), value: freeze(value) }),
  );
}

/**
 * Opens a store in memory that has these rows and nothing else. Reads of what was not written since the last read are
 * answered without the database, unless TEST_READS=database is set, as `deno task test:shifted` does.
 */
export async function openCopy(rows: readonly StoredRow[]): Promise<Store> {
  const store = await openStore(":memory:");
  const entries = new Map<string, StoredEntry>();
  for (const part of chunk(rows, COMMIT_ROWS)) {
    const operation = store.kv.atomic();
    for (const { key, value } of part) operation.set(key, value);
    const result = await operation.commit();
    assert.ok(result.ok);
    for (const { key, name, value } of part) {
      entries.set(name, { key, value, versionstamp: result.versionstamp });
    }
  }
  if (!READS_DATABASE) cacheReads(store.kv, entries);
  return store;
}

/** Returns the store of another server on the same database, which the first one closes. */
export function shareStore(store: Store): Store {
  const tally = { ...store.tally };
  return {
    ...store,
    queues: new NamedQueues(),
    blobWrites: new BlobWrites({ kv: store.kv, tally }),
    signals: new CommitSignals(),
    tally,
    [Symbol.dispose]() {},
  };
}
