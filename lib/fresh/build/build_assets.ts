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
  csv: `text/csv${TEXT}`,
  htm: `text/html${TEXT}`,
  html: `text/html${TEXT}`,
  js: `text/javascript${TEXT}`,
  mjs: `text/javascript${TEXT}`,
  md: `text/markdown${TEXT}`,
  txt: `text/plain${TEXT}`,
  json: `application/json${TEXT}`,
  map: `application/json${TEXT}`,
  webmanifest: `application/manifest+json${TEXT}`,
  xml: `application/xml${TEXT}`,
  yaml: `text/yaml${TEXT}`,
  yml: `text/yaml${TEXT}`,
  svg: "image/svg+xml",
  avif: "image/avif",
  gif: "image/gif",
  ico: "image/vnd.microsoft.icon",
  jpeg: "image/jpeg",
  jpg: "image/jpeg",
  png: "image/png",
  webp: "image/webp",
  mp3: "audio/mpeg",
  mp4: "video/mp4",
  ogg: "audio/ogg",
  webm: "video/webm",
  otf: "font/otf",
  ttf: "font/ttf",
  woff: "font/woff",
  woff2: "font/woff2",
  gz: "application/gzip",
  pdf: "application/pdf",
  wasm: "application/wasm",
  zip: "application/zip",
};

/** The media type of a file by the extension of its name; plain text if that is unknown. */
export function contentType(path: string): string {
  const extension = /\.([^./]+)$/.exec(path)?.[1]?.toLowerCase() ?? "";
  return BY_EXTENSION[extension] ?? `text/plain${TEXT}`;
}
