import { isAbsolute, relative, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";

/** An absolute path from a path below `root`, an absolute path or a file URL. */
export function toPath(pathOrUrl: string, root: string): string {
  return pathOrUrl.startsWith("file:") ? fileURLToPath(pathOrUrl) : resolve(root, pathOrUrl);
}

/** The path of a file seen from a folder, with forward slashes; it starts with "../" outside of it. */
export function relativePath(folder: string, path: string): string {
  return relative(folder, path).replaceAll(sep, "/");
}

/** The relative import specifier of a file for code in a folder. */
export function specifierFrom(folder: string, path: string): string {
  const specifier = relativePath(folder, path);
  return specifier.startsWith("../") || isAbsolute(specifier) ? specifier : `./${specifier}`;
}

/** All files below a folder that no pattern excludes, in order of their paths; none if there is no such folder. */
export async function listFiles(folder: string, ignore: readonly RegExp[]): Promise<string[]> {
  const found: string[] = [];
  for (const entry of await entriesOf(folder)) {
    const path = `${folder}/${entry.name}`;
    if (ignore.some((pattern) => pattern.test(path))) continue;
    if (entry.isDirectory) found.push(...await listFiles(path, ignore));
    else found.push(path);
  }
  return found.sort();
}

async function entriesOf(folder: string): Promise<Deno.DirEntry[]> {
  try {
    return await Array.fromAsync(Deno.readDir(folder));
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return [];
    throw error;
  }
}
