import { fileURLToPath } from "node:url";
import { basename, dirname } from "node:path";
import * as esbuild from "esbuild";
import type { OnResolveArgs, OnResolveResult, Plugin, PluginBuild } from "esbuild";
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
  const outputs = await runEsbuild(config, {
    ...entryPoints,
    [RUNTIME_NAME]: runtimePath,
  });
  const files = new Map(outputs.map(({ path, contents }) => [
    prefix + relativePath(config.outDir, path),
    Uint8Array.from(contents),
  ]));
  return { clientEntry, islands, files };
}

/** The bundled files in memory; esbuild's own process is ended, so that nothing outlives the build. */
async function runEsbuild(
  config: ResolvedBuildConfig,
  entryPoints: Record<string, string>,
): Promise<esbuild.OutputFile[]> {
  const isProduction = config.mode === "production";
  try {
    const { outputFiles } = await esbuild.build({
      absWorkingDir: config.root,
      bundle: true,
      define: {
        FRESH_BUILD_ID: JSON.stringify(config.buildId),
        "process.env.NODE_ENV": JSON.stringify(config.mode),
      },
      entryPoints,
      format: "esm",
      jsx: "automatic",
      jsxImportSource: "preact",
      logLevel: "silent",
      minify: isProduction,
      outdir: config.outDir,
      platform: "browser",
      plugins: [await resolverPlugin(config.root)],
      sourcemap: config.sourceMap ?? (isProduction ? false : "inline"),
      splitting: true,
      target: config.target,
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
export async function listStaticFiles({ staticDir, outDir }: ResolvedBuildConfig): Promise<string[]> {
  const paths = await listFiles(staticDir, [/\/\.(?!well-known(\/|$))[^/]+$/]);
  return paths.filter((path) => !path.startsWith(`${outDir}/`));
}

interface ImportMap {
  /** The folder of the deno.json that holds the imports. */
  folder: string;
  imports: Record<string, string>;
}

const OWN_MODULES: Readonly<Record<string, string>> = {
  "": "../mod.ts",
  "/runtime": "../runtime.ts",
  "/internal": "../internal.ts",
};

/** These must exist once on a page, whatever imports them. */
const SINGLE_PACKAGE = /^(preact|@preact\/signals)(\/|$)/;
const RESOLVED_ALREADY = Symbol("resolved already");

/** Resolves imports as Deno does: by the project's import map, npm packages from its node_modules, this package. */
async function resolverPlugin(root: string): Promise<Plugin> {
  const map = await readImportMap(root);
  return {
    name: "fresh-resolver",
    setup(build) {
      build.onResolve({ filter: /^[^.]/ }, (args) => resolve(build, map, args));
    },
  };
}

async function resolve(
  build: PluginBuild,
  { folder, imports }: ImportMap,
  args: OnResolveArgs,
): Promise<OnResolveResult | undefined> {
  if (args.pluginData === RESOLVED_ALREADY || args.kind === "entry-point") {
    return undefined;
  }
  const isDependency = args.resolveDir.includes("/node_modules/");
  const own = ownModule(args.path);
  if (own !== null) return { path: own };
  const specifier = isDependency ? args.path : mapped(args.path, imports);
  if (specifier.startsWith("./")) {
    return await build.resolve(specifier, {
      resolveDir: folder,
      kind: args.kind,
      pluginData: RESOLVED_ALREADY,
    });
  }
  const name = withoutVersion(specifier);
  if (name === args.path && !SINGLE_PACKAGE.test(name)) return undefined;
  return await build.resolve(name, {
    resolveDir: folder,
    kind: args.kind,
    pluginData: RESOLVED_ALREADY,
  });
}

function ownModule(specifier: string): string | null {
  const subpath = /^(?:fresh|@fresh\/core)(\/.*)?$/.exec(specifier);
  if (subpath === null) return null;
  const module = OWN_MODULES[subpath[1] ?? ""];
  return module === undefined ? null : fileURLToPath(new URL(module, import.meta.url));
}

/** Resolves a specifier by the import map: an exact entry, or the longest one that ends in a slash. */
function mapped(specifier: string, imports: Record<string, string>): string {
  const exact = imports[specifier];
  if (exact !== undefined) return exact;
  const [prefix] = Object.keys(imports)
    .filter((key) => key.endsWith("/") && specifier.startsWith(key))
    .sort((a, b) => b.length - a.length);
  return prefix === undefined ? specifier : imports[prefix] + specifier.slice(prefix.length);
}

/** "npm:@scope/name@1.2.3/sub" → "@scope/name/sub". */
function withoutVersion(specifier: string): string {
  return specifier.replace(/^npm:\/?((?:@[^/]+\/)?[^/@]+)(?:@[^/]*)?/, "$1");
}

/** The imports of the nearest deno.json from a folder upwards. */
async function readImportMap(folder: string): Promise<ImportMap> {
  try {
    const { imports = {} } = JSON.parse(await Deno.readTextFile(`${folder}/deno.json`));
    return { folder, imports };
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
    const parent = dirname(folder);
    return parent === folder ? { folder, imports: {} } : await readImportMap(parent);
  }
}

/** Which static files a transformation is for. */
export interface OnTransformOptions {
  pluginName: string;
  filter: RegExp;
  exclude?: (string | RegExp)[];
}

/** A static file that is to be transformed. */
export interface OnTransformArgs {
  path: string;
  target: string | string[];
  text: string;
  content: Uint8Array;
  mode: "development" | "production";
  root: string;
}

/** The new content of a file. */
export interface OnTransformResult {
  content: string | Uint8Array;
  path?: string;
  map?: string | Uint8Array;
}

/** Transforms one static file; nothing returned means that it stays as it is. */
export type TransformFn = (
  args: OnTransformArgs,
) => OnTransformResult | void | Promise<OnTransformResult | void>;

/** Settings common to all files of a build. */
type TransformSettings =
  & Pick<OnTransformArgs, "target" | "mode" | "root">
  & { buildId: string };

/** Runs the transformations of a builder, in the order they were added, on its static files. */
export class FileTransformer {
  readonly #transforms: { options: OnTransformOptions; run: TransformFn }[] = [];

  /** Adds a transformation. */
  add(options: OnTransformOptions, run: TransformFn): void {
    this.#transforms.push({ options, run });
  }

  /** True when some transformation takes the file, so that its content has to be read at build time. */
  takes(path: string): boolean {
    return path.endsWith(".css") ||
      this.#transforms.some(({ options }) => isChosen(path, options));
  }

  /** The content of a file after all transformations; local URLs in a style sheet get the build's key. */
  async apply(path: string, settings: TransformSettings): Promise<Uint8Array<ArrayBuffer>> {
    let content = await Deno.readFile(path);
    for (const { options, run } of this.#transforms) {
      if (!isChosen(path, options)) continue;
      const { target, mode, root } = settings;
      const text = new TextDecoder().decode(content);
      const result = await run({ path, target, mode, root, content, text });
      if (result) content = toBytes(result.content);
    }
    return path.endsWith(".css") ? toBytes(withKeyedUrls(content, settings.buildId)) : content;
  }
}

function isChosen(path: string, { filter, exclude = [] }: OnTransformOptions): boolean {
  if (path.search(filter) === -1) return false;
  return !exclude.some((rule) => typeof rule === "string" ? path.includes(rule) : path.search(rule) !== -1);
}

function toBytes(content: string | Uint8Array): Uint8Array<ArrayBuffer> {
  return typeof content === "string" ? new TextEncoder().encode(content) : Uint8Array.from(content);
}

function withKeyedUrls(content: Uint8Array, buildId: string): string {
  return new TextDecoder().decode(content).replaceAll(
    /url\((["']?)(\/[^"')]+)\1\)/g,
    (_, _quote, url) => `url(${JSON.stringify(keyedAsset(url, buildId))})`,
  );
}
