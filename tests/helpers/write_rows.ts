import type { Key } from "@/lib/store/key.ts";
import type { Store } from "@/lib/store/open.ts";
import { transact } from "@/lib/store/transact.ts";

/** A row to write; undefined deletes it. */
export type RowToWrite = readonly [key: Key, value: unknown];

/** Number of rows that are written in one commit. */
const ROWS_AT_ONCE = 200;

/** Writes rows as another process would, without the rules of the noun that they belong to. */
export async function writeRows(store: Store, rows: readonly RowToWrite[]): Promise<void> {
  for (let at = 0; at < rows.length; at += ROWS_AT_ONCE) {
    await transact(store, (tx) => {
      for (const [key, value] of rows.slice(at, at + ROWS_AT_ONCE)) {
        if (value === undefined) tx.delete(key);
        else tx.set(key, value);
      }
      return Promise.resolve();
    });
  }
}
