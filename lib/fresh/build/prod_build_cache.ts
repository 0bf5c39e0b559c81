import type { RouteTable } from "../routing/route_table.ts";
import {
  type BuildAssets,
  type IslandModule,
  type IslandRegistry,
  registerIslands,
  type StaticFile,
} from "./build_assets.ts";
import { addFsRoutes, type FsFile } from "./fs_routes.ts";

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
export class ProdBuildCache<State> implements BuildAssets {
  readonly buildId: string;
  readonly clientEntry: string;
  readonly islands: IslandRegistry;
  readonly #fsFiles: readonly FsFile[];
  readonly #files: Map<string, StaticFile>;

  constructor(root: string, snapshot: DiskSnapshot) {
    this.buildId = snapshot.buildId;
    this.clientEntry = snapshot.clientEntry;
    this.islands = registerIslands(snapshot.islands);
    this.#fsFiles = snapshot.fsFiles;
    this.#files = new Map(snapshot.staticFiles.map(([pathname, { path, hash, contentType }]) => {
      const read = async () => ({ content: await Deno.readFile(`${root}/${path}`), hash });
      return [pathname, { contentType, read }];
    }));
  }

  /** Registers the files of the route folder. */
  addRoutes(table: RouteTable<State>): void {
    addFsRoutes(table, this.#fsFiles);
  }

  findFile(pathname: string): StaticFile | undefined {
    return this.#files.get(pathname);
  }
}
