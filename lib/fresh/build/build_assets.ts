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

/** A file that can be served. */
export interface StaticFile {
  contentType: string;
  /** The content, with the hex SHA-256 of it. */
  read(): Promise<{ content: Uint8Array<ArrayBuffer>; hash: string }>;
}

/** Islands and files of a build. */
export interface BuildAssets {
  readonly buildId: string;
  /** The URL path of the script that starts islands. */
  readonly clientEntry: string;
  readonly islands: IslandRegistry;
  /** Returns the file at a decoded URL path. */
  findFile(pathname: string): StaticFile | undefined;
}

/** A loaded file of islands, with the script that the browser loads for it. */
export interface IslandModule {
  name: string;
  /** The URL path of the bundled script. */
  file: string;
  module: Record<string, unknown>;
}

/** Registers every component that the files of islands export. */
export function registerIslands(modules: readonly IslandModule[]): IslandRegistry {
  const registry: IslandRegistry = new Map();
  for (const { name, file, module } of modules) {
    for (const [exportName, exported] of Object.entries(module)) {
      if (typeof exported !== "function") continue;
      registry.set(exported, {
        name: exportName === "default" ? name : `${name}.${exportName}`,
        file,
        exportName,
      });
    }
  }
  return registry;
}

const TEXT = "; charset=UTF-8";

const BY_EXTENSION: Readonly<Record<string, string>> = {
  css: `text/css${TEXT}`,
  html: `text/html${TEXT}`,
  js: `text/javascript${TEXT}`,
  txt: `text/plain${TEXT}`,
  json: `application/json${TEXT}`,
  webmanifest: `application/manifest+json${TEXT}`,
  xml: `application/xml${TEXT}`,
  svg: "image/svg+xml",
  ico: "image/vnd.microsoft.icon",
  jpg: "image/jpeg",
  png: "image/png",
  webp: "image/webp",
  woff2: "font/woff2",
};

/** The media type of a file by the extension of its name. @throws TypeError for an unknown one. */
export function contentType(path: string): string {
  const extension = /\.([^./]+)$/.exec(path)?.[1]?.toLowerCase() ?? "";
  const type = BY_EXTENSION[extension];
  if (type === undefined) throw new TypeError(`The media type of ${path} is not known`);
  return type;
}
