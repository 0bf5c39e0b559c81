import { basename, dirname, join } from "node:path";

/** Writes a new file that appears whole or not at all, is on the disk when this settles, and its owner alone can read. */
export async function writeWhole(path: string, content: Uint8Array): Promise<void> {
  const temporary = join(dirname(path), `.${basename(path)}.tmp`);
  try {
    await writeSynced(temporary, content);
    await Deno.rename(temporary, path);
  } catch (error) {
    await Deno.remove(temporary).catch(() => {});
    throw error;
  }
  await syncFolder(dirname(path));
}

async function writeSynced(path: string, content: Uint8Array): Promise<void> {
  using file = await Deno.open(path, { write: true, createNew: true, mode: 0o600 });
  for (let at = 0; at < content.length;) at += await file.write(content.subarray(at));
  await file.sync();
}

/** A new name lasts once its folder is synced; Windows cannot open folders and needs no such step. */
async function syncFolder(path: string): Promise<void> {
  if (Deno.build.os === "windows") return;
  using folder = await Deno.open(path);
  await folder.sync();
}
