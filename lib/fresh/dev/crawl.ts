import type { FsFile, FsFileKind } from "../build/fs_routes.ts";
import { isAbsolute, relative, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";

/** A file of the route folder, before it is loaded. */
export interface RouteFile extends Omit<FsFile, "mod"> {
  path: string;
}

/** The source files of a project that the server and the browser run. */
interface ProjectFiles {
  routes: RouteFile[];
  islands: string[];
}

const CODE_FILE = /\.[jt]sx?$/;
const PRIVATE_FOLDER = /\/\(_[^/]+\)\//;

const KINDS: Readonly<Record<string, FsFileKind>> = {
  _app: "app",
  _middleware: "middleware",
  _layout: "layout",
  _error: "error",
};

/** Tests. */
const IGNORED = [/[._]test\.(?:[tj]sx?|[mc][tj]s)$/];

/** Finds the routes, in matching order, and the islands of a project. */
export async function crawlProject(root: string): Promise<ProjectFiles> {
  const islands = await listCode(`${root}/islands`);
  const routes: RouteFile[] = [];
  for (const path of await listCode(`${root}/routes`)) {
    const id = relativePath(`${root}/routes`, path).replace(CODE_FILE, "");
    const kind = KINDS[id.slice(id.lastIndexOf("/") + 1)] ?? "route";
    if (!PRIVATE_FOLDER.test(`/${id}`)) routes.push({ id, kind, path });
  }
  return { routes: routes.sort((a, b) => compareRouteIds(a.id, b.id)), islands };
}

async function listCode(folder: string): Promise<string[]> {
  return (await listFiles(folder, IGNORED)).filter((path) => CODE_FILE.test(path));
}

/** Folders of a project. */
export interface BuildOptions {
  root: string;
  /** "_fresh" below the root by default. */
  outDir?: string;
}

/** The settings of a builder with all paths absolute. */
export interface ResolvedBuildConfig extends Required<BuildOptions> {
  buildId: string;
}

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

/** Orders route files: at each level the index, then plain names, then parameters, then rests; groups do not count. */
function compareRouteIds(a: string, b: string): number {
  const [keyA, keyB] = [sortKeyOf(a), sortKeyOf(b)];
  if (keyA !== keyB) return keyA < keyB ? -1 : 1;
  return a < b ? -1 : 1;
}

function sortKeyOf(id: string): string {
  const parts = id.split("/").filter((part) => !part.startsWith("("));
  if (parts.at(-1) === "index") parts.pop();
  const rank = (part: string) => part.startsWith("[...") ? 2 : part.startsWith("[") ? 1 : 0;
  return parts.map((part) => `${rank(part)}${part}`).join("\0");
}
