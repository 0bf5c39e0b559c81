import type { IslandRegistry } from "../render/island.ts";

/** A file that can be served. */
export interface StaticFile {
  contentType: string;
  /** The content, with the hex SHA-256 of it. */
  read(): Promise<{ content: Uint8Array<ArrayBuffer>; hash: string }>;
}

/** Islands and files of a build. */
export interface BuildAssets {
  readonly root: string;
  readonly buildId: string;
  /** The URL path of the script that starts islands. */
  readonly clientEntry: string;
  readonly islands: IslandRegistry;
  /** Returns the file at a decoded URL path. */
  findFile(pathname: string): StaticFile | undefined;
}
