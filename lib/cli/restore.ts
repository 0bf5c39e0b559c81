import { errorMessage } from "@/lib/core/errors.ts";
import { taskCommand } from "@/lib/core/task_command.ts";
import { resolve } from "node:path";
import type { Kv } from "@/lib/store/kv.ts";
import { makePrivateStoreFiles, openKv, requireSound } from "@/lib/store/open.ts";
import { makePrivateFile } from "@/lib/core/private_files.ts";
import { countEntries, exists, requireEmpty } from "./backup.ts";
import { copyEntries } from "./transfer/copy_entries.ts";
import { startByteProgress, startProgress } from "./progress.ts";
import { type CommandContext, onlyArgument, Refusal } from "./command.ts";

/** Restores a backup into an empty store; refuses a store with any data. */
export async function restore(context: CommandContext, args: readonly string[]): Promise<object> {
  const file = resolve(onlyArgument(args, taskCommand("-q admin restore FILE")));
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
  if (await exists(path)) await requireEmptyAt(path);
  makePrivateStoreFiles(path);
  const partial = `${path}.partial`;
  await Deno.remove(partial).catch(() => {});
  makePrivateFile(partial);
  // Copying the file itself would also copy its mode.
  const source = await Deno.open(file);
  const progress = startByteProgress("Restoring", (await source.stat()).size);
  const counted = new TransformStream<Uint8Array, Uint8Array>({
    transform(bytes, controller) {
      progress.advance(bytes.length);
      controller.enqueue(bytes);
    },
  });
  await source.readable.pipeThrough(counted).pipeTo((await Deno.open(partial, { write: true })).writable);
  progress.finish();
  for (const suffix of ["-wal", "-shm"]) await Deno.remove(path + suffix).catch(() => {});
  await Deno.rename(partial, path);
}

async function restoreRemote(location: string | null, file: string): Promise<number> {
  if (location === ":memory:") {
    throw new Refusal("A backup cannot be restored into a store in memory.");
  }
  await requireEmptyAt(location);
  const progress = startProgress({ label: "Restoring entries", total: countEntries(file) });
  using source = await Deno.openKv(file);
  using target = await openKv(location ?? undefined);
  const copied = await copyEntries(source, target, () => progress.advance(1));
  progress.finish();
  return copied;
}

async function requireEmptyAt(location: string | null): Promise<void> {
  using kv = await openForReading(location);
  await requireEmpty(kv, location ?? "");
}

async function openForReading(location: string | null): Promise<Kv> {
  try {
    if (location === null || /^https?:/.test(location)) return await openKv(location ?? undefined);
    requireSound(location);
    return await Deno.openKv(location);
  } catch (error) {
    throw new Refusal(errorMessage(error));
  }
}
