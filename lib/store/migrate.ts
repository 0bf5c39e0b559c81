import { taskCommand } from "@/lib/core/task_command.ts";
import type { Kv } from "./kv.ts";
import { type Key, readEntry, readRecord } from "./key.ts";
import { type Store, StoreError } from "./open.ts";
import { transact } from "./transact.ts";

/** Key of the version of the stored shape. */
export const VERSION_KEY = ["schema_version"];

/** A step of the stored shape between two versions. */
export interface Migration {
  readonly from: number;
  readonly to: number;
  /** May run again after an interruption. */
  run(store: Store): Promise<void>;
}

/** Returns the version that migrations lead to. */
export function latestVersion(migrations: readonly Migration[]): number {
  return migrations.at(-1)?.to ?? 1;
}

/**
 * Migrates the store to the version that `migrations` lead to, one after the other; a new store starts there.
 * @throws StoreError when a newer version has written the store, when no migration starts from its version, or an
 * import into it is incomplete.
 */
export async function migrate(store: Store, migrations: readonly Migration[]): Promise<void> {
  const latest = latestVersion(migrations);
  await requireNoImport(store.kv, store.location);
  const { found, isNew } = await readState(store);
  if (found !== null && found > latest) {
    throw new StoreError(
      `The store ${store.location} was written by a newer version of Sotto (schema version ${found}; this one supports ${latest}). ` +
        "Start the newer version, or restore an older backup.",
    );
  }
  let version = isNew ? latest : found ?? 1;
  if (isNew) await writeVersion(store, version);
  while (version < latest) {
    const migration = migrations.find(({ from }) => from === version);
    if (migration === undefined) {
      throw new StoreError(
        `The store ${store.location} was written by a version of Sotto that this one does not migrate (schema version ${version}; ` +
          `this one migrates from ${
            migrations.map(({ from }) => from).join(", ")
          }). Start a version in between first.`,
      );
    }
    await migration.run(store);
    version = migration.to;
    await writeVersion(store, version);
  }
}

/** Returns the message of a process that a newer version's migration has ended; null while the store is of this version. */
export async function findNewerVersion(
  store: Store,
  migrations: readonly Migration[],
): Promise<string | null> {
  const stored = await readRecord<number>(store.kv, VERSION_KEY);
  const latest = latestVersion(migrations);
  if (stored === null || stored <= latest) return null;
  return `A newer version of Sotto has migrated the store ${store.location} (schema version ${stored}; this server supports ${latest}). ` +
    "This server stops. Start the newer version.";
}

/** Returns the stored version, and whether the store is new: null and false for one that never had a version. */
async function readState({ kv }: Store): Promise<{ found: number | null; isNew: boolean }> {
  const found = await readRecord<number>(kv, VERSION_KEY);
  if (found !== null) return { found, isNew: false };
  if (await isEmpty(kv)) return { found, isNew: true };
  // Another process may have created the store between the two reads; it writes the version first.
  return { found: await readRecord<number>(kv, VERSION_KEY), isNew: false };
}

async function isEmpty(kv: Kv): Promise<boolean> {
  for await (const _ of kv.list({ start: [], end: [true] }, { limit: 1 })) return false;
  return true;
}

/** Never replaces a newer version by an older one: two processes may migrate at once. */
async function writeVersion(store: Store, version: number): Promise<void> {
  if (await readRecord(store.kv, VERSION_KEY) === version) return;
  await transact(store, async (tx) => {
    // An import that begins now checks that the version was not written meanwhile.
    if (await tx.get(IMPORT_MARK) !== null) throw incompleteImport(store.location);
    const stored = await tx.get<number>(VERSION_KEY);
    if (stored === null || stored < version) tx.set(VERSION_KEY, version);
  });
}

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
function incompleteImport(location: string): StoreError {
  return new StoreError(
    `An import into the store ${location} is incomplete. Import the same export again, which continues: ` +
      taskCommand("-q admin import FILE"),
  );
}
