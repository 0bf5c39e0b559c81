import type { Key } from "@/lib/kv/key.ts";
import { openStore, type Store } from "@/lib/kv/open.ts";

/** A row of a store. */
export interface StoredRow {
  readonly key: Key;
  readonly value: unknown;
}

/** Mutations of one commit, of which the store takes 1,000 at the most. */
const COMMIT_ROWS = 500;

/** Lists all rows of a store, without the times at which they expire. */
export async function listRows({ kv }: Store): Promise<StoredRow[]> {
  return await Array.fromAsync(kv.list({ start: [], end: [true] }), ({ key, value }) => ({ key, value }));
}

/** Opens a store in memory that has these rows and nothing else. */
export async function openCopy(rows: readonly StoredRow[]): Promise<Store> {
  const store = await openStore(":memory:");
  for (let at = 0; at < rows.length; at += COMMIT_ROWS) {
    const operation = store.kv.atomic();
    for (const { key, value } of rows.slice(at, at + COMMIT_ROWS)) operation.set(key, value);
    await operation.commit();
  }
  return store;
}
