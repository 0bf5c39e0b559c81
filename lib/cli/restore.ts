import { resolve } from "node:path";
import { errorMessage } from "@/lib/core/errors.ts";
import { copyEntries } from "@/lib/kv/copy.ts";
import { openKv, requireSound } from "@/lib/kv/open.ts";
import { makePrivateFile, makePrivateStoreFiles } from "@/lib/kv/private_files.ts";
import { exists } from "./backup.ts";
import { onlyArgument, Refusal } from "./errors.ts";
import type { CommandContext } from "./command.ts";

/** Restores a backup into an empty store; refuses a store with any data. */
export async function restore(context: CommandContext, args: readonly string[]): Promise<object> {
  const file = resolve(onlyArgument(args, "deno task admin restore FILE"));
  if (!await exists(file)) throw new Refusal(`The file ${file} does not exist.`);
  try {
    requireSound(file);
  } catch (error) {
    throw new Refusal(`${file} is not a valid backup: ${errorMessage(error)}`);
  }
  if (context.path === null) {
    return { store: context.location, entries: await restoreRemote(context.location, file) };
  }
  await restoreFile(context.path, file);
  return { store: context.path, bytes: (await Deno.stat(context.path)).size };
}

async function restoreFile(path: string, file: string): Promise<void> {
  // Usually the file is missing: then nothing is opened, and nothing is left behind.
  if (await exists(path)) await requireEmpty(path);
  makePrivateStoreFiles(path);
  const partial = `${path}.partial`;
  await Deno.remove(partial).catch(() => {});
  makePrivateFile(partial);
  // Copying the file itself would also copy its mode.
  const source = await Deno.open(file);
  await source.readable.pipeTo((await Deno.open(partial, { write: true })).writable);
  for (const suffix of ["-wal", "-shm"]) await Deno.remove(path + suffix).catch(() => {});
  await Deno.rename(partial, path);
}

async function restoreRemote(location: string | null, file: string): Promise<number> {
  if (location === ":memory:") {
    throw new Refusal("A backup cannot be restored into a store in memory.");
  }
  await requireEmpty(location);
  using source = await Deno.openKv(file);
  using target = await openKv(location ?? undefined);
  return await copyEntries(source, target);
}

/** Keys that a new server writes when it starts, which alone do not count as data. */
const WRITTEN_AT_START = ["schema_version", "commit_gate"];

async function requireEmpty(location: string | null): Promise<void> {
  using kv = await openForReading(location);
  for await (const { key } of kv.list({ start: [], end: [true] }, { limit: WRITTEN_AT_START.length + 1 })) {
    if (!WRITTEN_AT_START.includes(String(key[0]))) {
      throw new Refusal(
        `The store ${location ?? ""} is not empty. Move it away first. A restore never replaces data.`,
      );
    }
  }
}

async function openForReading(location: string | null): Promise<Deno.Kv> {
  try {
    if (location === null || /^https?:/.test(location)) return await openKv(location ?? undefined);
    requireSound(location);
    return await Deno.openKv(location);
  } catch (error) {
    throw new Refusal(errorMessage(error));
  }
}
