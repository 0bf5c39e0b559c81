import { fileURLToPath } from "node:url";
import { basename } from "node:path";
import * as esbuild from "esbuild";
import type { ResolvedBuildConfig } from "./build_config.ts";
import { listFiles, relativePath } from "./files.ts";
import { resolverPlugin } from "./resolver_plugin.ts";

/** A file of islands and the script that was made of it. */
export interface IslandChunk {
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
