import { backup as copyDatabase, DatabaseSync } from "node:sqlite";
import { resolve } from "node:path";
import { errorMessage } from "@/lib/core/errors.ts";
import { copyEntries } from "@/lib/kv/copy.ts";
import { requireSound } from "@/lib/kv/open.ts";
import { onlyArgument, Refusal } from "./errors.ts";
import type { CommandContext } from "./main.ts";

/** Milliseconds to wait for a writer. */
const BUSY_MS = 30_000;
/** All pages in one step: between steps another process's writes would make the copy begin anew, without end. */
const ALL_PAGES = 2 ** 31 - 1;

/**
 * Copies the whole store into one new file as of one moment, while a server may be writing. The file is a store itself:
 * KV_URL may name it. It appears under its name only when it is whole and checked.
 */
export async function backup(context: CommandContext, args: readonly string[]): Promise<object> {
  const file = resolve(onlyArgument(args, "deno task admin backup FILE"));
  if (await exists(file)) throw new Refusal(`${file} exists already; a backup never replaces a file.`);
  const partial = `${file}.partial`;
  await Deno.remove(partial).catch(() => {});
  try {
    if (context.path === null) await copyRemote(context.location, partial);
    else await copyFile(context.path, partial);
    requireSound(partial);
    await Deno.rename(partial, file);
  } catch (error) {
    await Deno.remove(partial).catch(() => {});
    throw error instanceof Refusal ? error : new Refusal(`The backup failed: ${errorMessage(error)}`);
  }
  return { file, bytes: (await Deno.stat(file)).size };
}

/** SQLite's own online copy: one moment's state, without waiting for or stopping writers. */
export async function copyFile(path: string, target: string): Promise<void> {
  if (!await exists(path)) throw new Refusal(`There is no store at ${path}.`);
  requireSound(path);
  const database = new DatabaseSync(path, { timeout: BUSY_MS });
  try {
    await copyDatabase(database, target, { rate: ALL_PAGES });
  } finally {
    database.close();
  }
}

/** Entry by entry from a store that is no file; entries written meanwhile may or may not be in it. */
async function copyRemote(location: string | null, target: string): Promise<void> {
  if (location === ":memory:") {
    throw new Refusal("A store in memory cannot be reached from outside its server.");
  }
  using source = await Deno.openKv(location ?? undefined);
  using copy = await Deno.openKv(target);
  await copyEntries(source, copy);
}

/** Whether a file is there. */
export async function exists(path: string): Promise<boolean> {
  return await Deno.stat(path).then(() => true, () => false);
}
