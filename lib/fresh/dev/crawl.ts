import type { FsFile, FsFileKind } from "../build/fs_routes.ts";
import { listFiles, relativePath } from "./files.ts";
import { compareRouteIds } from "./route_order.ts";

/** A file of the route folder, before it is loaded. */
export interface RouteFile extends Omit<FsFile, "mod"> {
  path: string;
  /** True when the file may be loaded by the first request for it. */
  lazy: boolean;
}

/** The source files of a project that the server and the browser run. */
export interface ProjectFiles {
  routes: RouteFile[];
  islands: string[];
}

const CODE_FILE = /\.[jt]sx?$/;
const PRIVATE_FOLDER = /\/\((_[^/]+)\)\//;

const KINDS: Readonly<Record<string, FsFileKind>> = {
  _app: "app",
  _middleware: "middleware",
  _layout: "layout",
  _error: "error",
  _500: "error",
  _404: "notFound",
};

/** Finds the routes, in matching order, and the islands of a project. */
export async function crawlProject(
  { routeDir, islandDir, ignore }: {
    routeDir: string;
    islandDir: string;
    ignore: readonly RegExp[];
  },
): Promise<ProjectFiles> {
  const isCode = (path: string) => CODE_FILE.test(path);
  const islands = (await listFiles(islandDir, ignore)).filter(isCode);
  const routePaths: string[] = [];
  for (const path of (await listFiles(routeDir, ignore)).filter(isCode)) {
    const folder = PRIVATE_FOLDER.exec(`/${relativePath(routeDir, path)}`)?.[1];
    if (folder === "_islands") islands.push(path);
    if (folder === undefined) routePaths.push(path);
  }
  const routes = await Promise.all(routePaths.map((path) => readRouteFile(routeDir, path)));
  return {
    routes: routes.sort((a, b) => compareRouteIds(a.id, b.id)),
    islands,
  };
}

async function readRouteFile(routeDir: string, path: string): Promise<RouteFile> {
  const id = relativePath(routeDir, path).replace(CODE_FILE, "");
  const kind = KINDS[id.slice(id.lastIndexOf("/") + 1)] ?? "route";
  const lazy = kind === "route" &&
    !(await Deno.readTextFile(path)).includes("routeOverride");
  return { id, kind, path, lazy };
}
