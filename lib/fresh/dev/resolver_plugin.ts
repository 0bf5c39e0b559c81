import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import type { OnResolveArgs, OnResolveResult, Plugin, PluginBuild } from "esbuild";

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
export async function resolverPlugin(root: string): Promise<Plugin> {
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
