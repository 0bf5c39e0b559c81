import { pathToFileURL } from "node:url";
import type { BuildCache, StaticFile } from "../build/build_cache.ts";
import { contentType } from "../build/content_type.ts";
import { sha256Hex } from "../build/digest.ts";
import { type FsFile, readFsRoutes } from "../build/fs_routes.ts";
import { type IslandModule, registerIslands } from "../build/island_registry.ts";
import type { BuildInput } from "./build_input.ts";
import { listStaticFiles } from "./bundle.ts";
import type { RouteFile } from "./crawl.ts";
import { relativePath } from "./files.ts";

/** Makes the build cache of one app. */
export type MakeCache = <State>() => BuildCache<State>;

/** Loads a build into this process, for any number of apps; static files are read when they are asked for. */
export async function prepareMemoryCaches(input: BuildInput): Promise<MakeCache> {
  const { config, bundle } = input;
  const [files, islandModules, fsFiles] = await Promise.all([
    collectFiles(input),
    Promise.all(
      bundle.islands.map(async ({ name, file, sourcePath }): Promise<IslandModule> => ({
        name,
        file,
        module: await importFile(sourcePath),
      })),
    ),
    Promise.all(input.routes.map(loadRouteFile)),
  ]);
  const shared = {
    root: config.root,
    buildId: config.buildId,
    clientEntry: bundle.clientEntry,
    islands: registerIslands(islandModules),
    findFile: (pathname: string) => files.get(pathname),
  };
  return <State>() => ({ ...shared, fsRoutes: readFsRoutes<State>(fsFiles) });
}

async function loadRouteFile({ id, kind, path, lazy }: RouteFile): Promise<FsFile> {
  return {
    id,
    kind,
    mod: lazy ? () => importFile(path) : await importFile(path),
  };
}

function importFile(path: string): Promise<Record<string, unknown>> {
  return import(pathToFileURL(path).href);
}

async function collectFiles(input: BuildInput): Promise<Map<string, StaticFile>> {
  const { config, transformer, bundle } = input;
  const files = new Map<string, StaticFile>();
  for (const path of await listStaticFiles(config)) {
    const pathname = `/${relativePath(config.staticDir, path)}`;
    const read = () => transformer.apply(path, config);
    files.set(pathname, {
      contentType: contentType(path),
      read: readOnce(read, config.mode),
    });
  }
  for (const [pathname, content] of bundle.files) {
    const read = () => Promise.resolve(content);
    files.set(pathname, {
      contentType: contentType(pathname),
      read: readOnce(read, "production"),
    });
  }
  return files;
}

/** Reads and hashes on the first call; in development on each, so that an edit shows at once. */
function readOnce(
  read: () => Promise<Uint8Array<ArrayBuffer>>,
  mode: "development" | "production",
): StaticFile["read"] {
  const readAndHash = async () => {
    const content = await read();
    return { content, hash: await sha256Hex(content) };
  };
  let first: ReturnType<StaticFile["read"]> | null = null;
  return () => mode === "development" ? readAndHash() : first ??= readAndHash();
}
