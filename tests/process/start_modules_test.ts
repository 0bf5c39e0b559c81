import assert from "node:assert/strict";
import { PROJECT } from "@/tests/helpers/server.ts";

/** Packages that the server loads before its first answer; a start takes longer with each. Others are loaded when needed. */
const PACKAGES = [
  ...["@preact/signals", "cookie", "emojibase-data", "es-toolkit", "ipaddr.js", "lru-cache"],
  ...[
    "markdown-it",
    "negotiator",
    "preact",
    "preact-render-to-string",
    "prom-client",
    "rate-limiter-flexible",
  ],
  ...["uqr", "zod"],
];
/** Largest number of own modules that are loaded before the first answer. */
const MAX_MODULES = 460;

/** A module as `deno info --json` describes it. */
interface ModuleInfo {
  readonly specifier: string;
  readonly dependencies?: readonly {
    readonly isDynamic?: boolean;
    readonly code?: { readonly specifier?: string };
  }[];
}

/** Returns the modules that are loaded with the built entry, without those that are imported later. */
async function listModules(): Promise<Set<string>> {
  const { stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["info", "--quiet", "--json", `${PROJECT}_fresh/server.js`],
    cwd: PROJECT,
  }).output();
  const { roots, modules, redirects } = JSON.parse(new TextDecoder().decode(stdout));
  const byName = new Map<string, ModuleInfo>(modules.map((one: ModuleInfo) => [one.specifier, one]));
  const loaded = new Set<string>();
  const load = (name: string) => {
    const specifier = redirects[name] ?? name;
    if (loaded.has(specifier)) return;
    loaded.add(specifier);
    for (const { isDynamic, code } of byName.get(specifier)?.dependencies ?? []) {
      if (isDynamic !== true && code?.specifier !== undefined) load(code.specifier);
    }
  };
  load(roots[0]);
  return loaded;
}

/** Returns the name of the package in an address such as `npm:/preact@10.29.8/hooks`. */
function packageOf(specifier: string): string | null {
  return /^npm:\/?((?:@[^/]+\/)?[^/@]+)@/.exec(specifier)?.[1] ?? null;
}

Deno.test("the server loads no more modules before its first answer than it needs", async () => {
  const modules = [...await listModules()];
  const packages = new Set(modules.map(packageOf).filter((name) => name !== null));
  assert.deepEqual([...packages].sort(), PACKAGES);
  const own = modules.filter((name) => name.startsWith("file:"));
  assert.ok(own.length > 0 && own.length <= MAX_MODULES, `${own.length} modules`);
});
