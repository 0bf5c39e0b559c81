import type { Island, IslandRegistry } from "../render/island.ts";

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
      const island: Island = {
        name: exportName === "default" ? name : `${name}.${exportName}`,
        file,
        exportName,
      };
      registry.set(exported, island);
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

/** The SHA-256 of bytes, in hex. */
export async function sha256Hex(content: Uint8Array<ArrayBuffer>): Promise<string> {
  return toHex(await crypto.subtle.digest("SHA-256", content));
}

/** The SHA-1 of text, in hex. */
export async function sha1Hex(text: string): Promise<string> {
  return toHex(await crypto.subtle.digest("SHA-1", new TextEncoder().encode(text)));
}

function toHex(buffer: ArrayBuffer): string {
  return Array.from(new Uint8Array(buffer), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
