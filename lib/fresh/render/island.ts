/** A component that also runs in the browser. */
export interface Island {
  /** Unique in the build, without colons. */
  name: string;
  /** The URL path of the script that exports it. */
  file: string;
  exportName: string;
}

/** The islands of a build by their component. */
export type IslandRegistry = Map<unknown, Island>;
