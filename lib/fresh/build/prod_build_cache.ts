import type { IslandRegistry } from "../render/island.ts";
import type { BuildCache } from "./build_cache.ts";
import { type IslandModule, registerIslands, type StaticFile } from "./build_assets.ts";
import { type FsFile, type FsRoutes, readFsRoutes } from "./fs_routes.ts";

/** A static file as a build recorded it; `path` is relative to the project's root. */
export interface StaticFileRecord {
  path: string;
  hash: string;
  contentType: string;
}

/** Exports of the generated `snapshot.js`. */
export interface DiskSnapshot {
  buildId: string;
  clientEntry: string;
  islands: IslandModule[];
  fsFiles: FsFile[];
  staticFiles: [pathname: string, record: StaticFileRecord][];
}

/** The outcome of a build on disk, for the app that serves it. */
export class ProdBuildCache<State> implements BuildCache<State> {
  readonly root: string;
  readonly buildId: string;
  readonly clientEntry: string;
  readonly islands: IslandRegistry;
  readonly fsRoutes: FsRoutes<State>;
  readonly #files: Map<string, StaticFile>;

  constructor(root: string, snapshot: DiskSnapshot) {
    this.root = root;
    this.buildId = snapshot.buildId;
    this.clientEntry = snapshot.clientEntry;
    this.islands = registerIslands(snapshot.islands);
    this.fsRoutes = readFsRoutes(snapshot.fsFiles);
    this.#files = new Map(
      snapshot.staticFiles.map(([pathname, record]) => [pathname, fileOnDisk(root, record)]),
    );
  }

  findFile(pathname: string): StaticFile | undefined {
    return this.#files.get(pathname);
  }
}

function fileOnDisk(root: string, { path, hash, contentType }: StaticFileRecord): StaticFile {
  return {
    contentType,
    read: async () => ({
      content: await Deno.readFile(`${root}/${path}`),
      hash,
    }),
  };
}
