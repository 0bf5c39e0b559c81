import { errorMessage } from "@/lib/core/errors.ts";
import { taskCommand } from "@/lib/core/task_command.ts";
import { backup as copyDatabase, DatabaseSync } from "node:sqlite";
import { join, resolve } from "node:path";
import { systemClock } from "@/lib/core/clock.ts";
import { makePrivateFile } from "@/lib/core/private_files.ts";
import { recordBackupTime } from "@/lib/services/sotto_store.ts";
import { copyEntries } from "./transfer/copy_entries.ts";
import { requireNoImport } from "@/lib/store/migrate.ts";
import { openKv, requireSound } from "@/lib/store/open.ts";
import { startByteProgress, startProgress } from "./progress.ts";
import { type CommandContext, onlyArgument, Refusal, requireReachable } from "./command.ts";
import type { Kv } from "@/lib/store/kv.ts";

/** Time to wait for a writer, in milliseconds. */
const BUSY_MS = 30_000;
/** Pages that are copied between two states of the progress: 8 MB. */
const PAGES_AT_ONCE = 2000;
const PAGE_BYTES = 4096;

/**
 * Copies the whole store as of one moment into a new file while a server may be writing. The file is a store
 * itself, which KV_URL may name; it appears under its name only when it is complete and checked. Only the
 * operator's user can read it.
 */
export async function backup(context: CommandContext, args: readonly string[]): Promise<object> {
  const file = resolve(onlyArgument(args, taskCommand("-q admin backup FILE")));
  if (await exists(file)) throw new Refusal(`${file} already exists. A backup never replaces a file.`);
  const partial = `${file}.partial`;
  await Deno.remove(partial).catch(() => {});
  try {
    makePrivateFile(partial);
    if (context.path === null) await copyRemote(context.location, partial);
    else await copyFile(context.path, partial);
    requireSound(partial);
    await Deno.rename(partial, file);
    await recordBackup(context);
  } catch (error) {
    await Deno.remove(partial).catch(() => {});
    throw error instanceof Refusal ? error : new Refusal(`The backup failed: ${errorMessage(error)}`);
  }
  return { file, bytes: (await Deno.stat(file)).size };
}

/** Records the time in the store that was copied, where the administration pages show it; a failure is ignored. */
async function recordBackup({ location }: CommandContext): Promise<void> {
  try {
    using kv = await openKv(location ?? undefined);
    await recordBackupTime(kv, systemClock.now());
  } catch {
    // The backup itself is complete.
  }
}

/**
 * Copies a file with SQLite's online backup: the state of one moment, without waiting for or stopping
 * writers.
 */
async function copyFile(path: string, target: string): Promise<void> {
  if (!await exists(path)) throw new Refusal(`There is no store at ${path}.`);
  requireSound(path);
  const database = new DatabaseSync(path, { timeout: BUSY_MS });
  try {
    // An open read transaction keeps the state of its moment. Without one, writes of another process would restart
    // the copy after every step.
    database.exec("begin");
    database.prepare("select k from kv limit 1").get();
    const progress = startByteProgress("Copying the store", (await Deno.stat(path)).size);
    let copied = 0;
    await copyDatabase(database, target, {
      rate: PAGES_AT_ONCE,
      progress({ totalPages, remainingPages }) {
        progress.advance((totalPages - remainingPages - copied) * PAGE_BYTES);
        copied = totalPages - remainingPages;
      },
    });
    progress.finish();
  } finally {
    database.close();
  }
}

/** Copies a store that is not a file entry by entry; entries written meanwhile may be missing. */
async function copyRemote(location: string | null, target: string): Promise<void> {
  requireReachable(location);
  using source = await openKv(location ?? undefined);
  await requireNoImport(source, location ?? "");
  using copy = await Deno.openKv(target);
  const progress = startProgress({ label: "Copying entries", total: null });
  await copyEntries(source, copy, () => progress.advance(1));
  progress.finish();
}

/** Runs work on a copy of a store's file as of one moment, so that a running server is not disturbed. */
export async function withCopy<T>(path: string, work: (copy: string) => Promise<T>): Promise<T> {
  const folder = await Deno.makeTempDir();
  try {
    const copy = join(folder, "store");
    await copyFile(path, copy);
    return await work(copy);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

export async function exists(path: string): Promise<boolean> {
  return await Deno.stat(path).then(() => true, () => false);
}

/** Returns the number of entries of an embedded store that no other process has open. */
export function countEntries(path: string): number {
  const database = new DatabaseSync(path);
  try {
    return Number(database.prepare("select count(*) as entries from kv").get()?.["entries"] ?? 0);
  } finally {
    database.close();
  }
}

/** Keys that a new server writes when it starts, which alone do not count as data. */
const WRITTEN_AT_START = ["schema_version", "commit_gate"];

/** @throws Refusal. */
export async function requireEmpty(kv: Kv, location: string): Promise<void> {
  for await (const { key } of kv.list({ start: [], end: [true] }, { limit: WRITTEN_AT_START.length + 1 })) {
    if (!WRITTEN_AT_START.includes(String(key[0]))) {
      throw new Refusal(
        `The store ${location} is not empty. Move it away first. Neither a restore nor an import replaces data.`,
      );
    }
  }
}
