import type { BuildAssets } from "./build_assets.ts";
import type { FsRoutes } from "./fs_routes.ts";

/** A build as an app uses it: its assets and its routes. */
export interface BuildCache<State> extends BuildAssets {
  readonly fsRoutes: FsRoutes<State>;
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
