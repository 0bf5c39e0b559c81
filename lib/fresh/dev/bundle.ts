import { fileURLToPath } from "node:url";
import { basename, resolve } from "node:path";
import * as esbuild from "esbuild";
import { listFiles, relativePath, type ResolvedBuildConfig } from "./crawl.ts";
import { keyedAsset } from "../runtime/asset.ts";

/** A file of islands and the script that was made of it. */
interface IslandChunk {
  /** Unique, of letters, digits and underscores. */
  name: string;
  sourcePath: string;
  /** The URL path of the script. */
  file: string;
}

/** The browser's code: scripts by their URL path. */
export interface ClientBundle {
  clientEntry: string;
  islands: IslandChunk[];
  files: Map<string, Uint8Array<ArrayBuffer>>;
}

const RUNTIME_NAME = "fresh-runtime";

/** Bundles each file of islands as a script of its own; what they share becomes common chunks. */
export async function bundleIslands(
  config: ResolvedBuildConfig,
  islandPaths: readonly string[],
): Promise<ClientBundle> {
  const prefix = `/_fresh/js/${config.buildId}/`;
  const clientEntry = `${prefix}${RUNTIME_NAME}.js`;
  if (islandPaths.length === 0) {
    return { clientEntry, islands: [], files: new Map() };
  }

  const islands = nameIslands(islandPaths).map(([name, sourcePath]) => ({
    name,
    sourcePath,
    file: `${prefix}${name}.js`,
  }));
  const runtimePath = fileURLToPath(new URL("../client/boot.ts", import.meta.url));
  const entryPoints = Object.fromEntries(islands.map(({ name, sourcePath }) => [name, sourcePath]));
  const outputs = await runEsbuild(config, { ...entryPoints, [RUNTIME_NAME]: runtimePath });
  const files = new Map(outputs.map(({ path, contents }) => [
    prefix + relativePath(config.outDir, path),
    Uint8Array.from(contents),
  ]));
  return { clientEntry, islands, files };
}

/** The bundled files in memory; esbuild's own process is ended, so that nothing outlives the build. */
async function runEsbuild(
  { root, outDir }: ResolvedBuildConfig,
  entryPoints: Record<string, string>,
): Promise<esbuild.OutputFile[]> {
  try {
    const { outputFiles } = await esbuild.build({
      absWorkingDir: root,
      alias: await readFolderNames(root),
      bundle: true,
      define: { "process.env.NODE_ENV": JSON.stringify("production") },
      entryPoints,
      format: "esm",
      jsx: "automatic",
      jsxImportSource: "preact",
      logLevel: "silent",
      minify: true,
      outdir: outDir,
      platform: "browser",
      splitting: true,
      target: ["chrome99", "firefox99", "safari15"],
      tsconfigRaw: {},
      write: false,
    });
    return outputFiles;
  } finally {
    await esbuild.stop();
  }
}

/** Names made from the file names; equal ones get a number. */
function nameIslands(paths: readonly string[]): [name: string, path: string][] {
  const taken = new Set<string>();
  return paths.map((path) => {
    const base = basename(path).replace(/\.[^.]*$/, "").replace(/\W/g, "_");
    let name = base;
    for (let count = 1; taken.has(name); count++) name = `${base}_${count}`;
    taken.add(name);
    return [name, path];
  });
}

/** The files of the static folder that may be served: hidden ones are left out, but for ".well-known". */
export function listStaticFiles(root: string): Promise<string[]> {
  return listFiles(`${root}/static`, [/\/\.(?!well-known(\/|$))[^/]+$/]);
}

/** Folders by the names that imports begin with, from the project's import map: `{ "@/": "./" }` → `{ "@": root }`. */
async function readFolderNames(root: string): Promise<Record<string, string>> {
  try {
    const { imports = {} } = JSON.parse(await Deno.readTextFile(`${root}/deno.json`));
    const folders = Object.entries<string>(imports).filter(([name]) => name.endsWith("/"));
    return Object.fromEntries(folders.map(([name, path]) => [name.slice(0, -1), resolve(root, path)]));
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return {};
    throw error;
  }
}

/** Which static files a transformation is for. */
export interface OnTransformOptions {
  pluginName: string;
  filter: RegExp;
}

/** A static file that is to be transformed. */
export interface OnTransformArgs {
  text: string;
}

/** The new content of a file. */
export interface OnTransformResult {
  content: string;
}

/** Transforms one static file. */
export type TransformFn = (args: OnTransformArgs) => OnTransformResult | Promise<OnTransformResult>;

/** A transformation, with the files that it is for. */
export interface Transform {
  options: OnTransformOptions;
  run: TransformFn;
}

/** The content of a file after its transformations; null for one that stays as it is. Style sheets get the build's key. */
export async function transformFile(
  path: string,
  transforms: readonly Transform[],
  buildId: string,
): Promise<Uint8Array<ArrayBuffer> | null> {
  const chosen = transforms.filter(({ options }) => options.filter.test(path));
  if (chosen.length === 0 && !path.endsWith(".css")) return null;
  let text = await Deno.readTextFile(path);
  for (const { run } of chosen) text = (await run({ text })).content;
  return new TextEncoder().encode(path.endsWith(".css") ? withKeyedUrls(text, buildId) : text);
}

function withKeyedUrls(css: string, buildId: string): string {
  return css.replaceAll(
    /url\((["']?)(\/[^"')]+)\1\)/g,
    (_, _quote, url) => `url(${JSON.stringify(keyedAsset(url, buildId))})`,
  );
}
