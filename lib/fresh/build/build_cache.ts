import type { FsRoutes } from "./fs_routes.ts";
import type { IslandRegistry } from "../render/islands.ts";

/** A file that can be served. */
export interface StaticFile {
  contentType: string;
  /** The content, with the hex SHA-256 of it. */
  read(): Promise<{ content: Uint8Array<ArrayBuffer>; hash: string }>;
}

/** What a build gives to an app: routes, islands and files. */
export interface BuildCache<State> {
  readonly root: string;
  readonly buildId: string;
  /** The URL path of the script that starts islands. */
  readonly clientEntry: string;
  readonly islands: IslandRegistry;
  readonly fsRoutes: FsRoutes<State>;
  /** The file at a decoded URL path. */
  findFile(pathname: string): StaticFile | undefined;
}

/** The cache of an app that was not built: no routes from files, no islands, no static files. */
export function emptyBuildCache<State>(root: string): BuildCache<State> {
  return {
    root,
    buildId: "",
    clientEntry: "",
    islands: new Map(),
    fsRoutes: {
      middlewares: [],
      layouts: [],
      errorRoutes: [],
      app: null,
      notFound: null,
      routes: [],
    },
    findFile: () => undefined,
  };
}
