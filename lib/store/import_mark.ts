import type { Kv } from "./kv.ts";
import { taskCommand } from "@/lib/core/task_command.ts";
import { type Key, readEntry } from "./key.ts";
import { StoreError } from "./open.ts";

/** Key of the record that exists while an import into the store is incomplete. */
export const IMPORT_MARK: Key = ["import"];

/** State of an import that has begun and whose entries were not all written and verified. */
export interface ImportMark {
  /** Id of the export that is imported. */
  readonly export_id: string;
  /** Id of the process that writes, so that a second one does not write as well. */
  readonly run: string;
  /** Number of the export's entries that were written or had expired. */
  readonly entries: number;
}

/**
 * Refuses a store with an incomplete import.
 * @throws StoreError that says what to do.
 */
export async function requireNoImport(kv: Kv, location: string): Promise<void> {
  if ((await readEntry<ImportMark>(kv, IMPORT_MARK)).value !== null) throw incompleteImport(location);
}

/** Returns the error for a store with an incomplete import. */
export function incompleteImport(location: string): StoreError {
  return new StoreError(
    `An import into the store ${location} is incomplete. Import the same export again, which continues: ` +
      taskCommand("-q admin import FILE"),
  );
}
