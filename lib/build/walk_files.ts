/** Yields the paths of all files below a folder, relative to it; none for a folder that does not exist. */
export async function* walkFiles(folder: URL, prefix = ""): AsyncGenerator<string> {
  for (const { name, isDirectory } of await readFolder(folder)) {
    if (isDirectory) yield* walkFiles(new URL(`${encodeURIComponent(name)}/`, folder), `${prefix}${name}/`);
    else yield prefix + name;
  }
}

async function readFolder(folder: URL): Promise<Deno.DirEntry[]> {
  try {
    return await Array.fromAsync(Deno.readDir(folder));
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return [];
    throw error;
  }
}
