/** Folders of a project and target of its browser code. */
export interface BuildOptions {
  /** esbuild's target for the browser's code. */
  target?: string | string[];
  /** The project's folder; the current one by default. Other paths are relative to it. */
  root?: string;
  outDir?: string;
  staticDir?: string;
  islandDir?: string;
  routeDir?: string;
  /** The module that exports `app`. */
  serverEntry?: string;
  /** Files to leave out; test files by default. */
  ignore?: RegExp[];
  sourceMap?: boolean | "linked" | "inline" | "external" | "both";
}

/** The settings of a builder with all paths absolute. */
export interface ResolvedBuildConfig extends Required<Omit<BuildOptions, "sourceMap">> {
  mode: "development" | "production";
  buildId: string;
  sourceMap: BuildOptions["sourceMap"];
}
