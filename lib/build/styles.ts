import { fileURLToPath } from "node:url";
import { compile, optimize } from "@tailwindcss/node";
import { Scanner } from "@tailwindcss/oxide";
import { VENDOR_FILES, vendorPath } from "@/lib/ui/vendor.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
/** Folders whose files use class names. */
const SOURCES = ["components", "islands", "routes", "lib/admin", "lib/ui"];

/** Compiles the style sheet: only the classes that the pages use, minified. */
export async function compileStyles(source: string): Promise<string> {
  const compiler = await compile(withVersions(source), { base: ROOT, onDependency: () => {} });
  const sources = SOURCES.map((folder) => ({
    base: ROOT,
    pattern: `${folder}/**/*.{ts,tsx}`,
    negated: false,
  }));
  const css = compiler.build(new Scanner({ sources }).scan());
  return optimize(css, { minify: true }).code;
}

/**
 * The source names fonts without their version, which changes with the package. Their paths are relative, because Fresh
 * adds the build's key to absolute ones, and browsers would fetch unchanged fonts anew after each build.
 */
function withVersions(source: string): string {
  return VENDOR_FILES.reduce(
    (text, { name }) => text.replaceAll(`"vendor/${name}"`, `"${vendorPath(name).slice(1)}"`),
    source,
  );
}
