import project from "@/deno.json" with { type: "json" };

/** Files of packages that are served to browsers: their served name, package and file. */
export const VENDOR_FILES: readonly VendorFile[] = [
  fontFile("newsreader"),
  fontFile("inter"),
  fontFile("jetbrains-mono"),
  { name: "swagger-ui.css", package: "swagger-ui-dist", file: "swagger-ui.css" },
  { name: "swagger-ui.js", package: "swagger-ui-dist", file: "swagger-ui-bundle.js" },
];

/** A file of a package. */
interface VendorFile {
  readonly name: string;
  readonly package: string;
  readonly file: string;
}

/**
 * Returns the path of a vendor file with its version in the name: `inter.woff2` as
 * `/vendor/inter-5.3.0.woff2`.
 * @throws Error for an unlisted name.
 */
export function vendorPath(name: string): string {
  const file = VENDOR_FILES.find((candidate) => candidate.name === name);
  if (file === undefined) throw new Error(`${name} is no vendor file.`);
  const specifier = new Map(Object.entries(project.imports)).get(file.package) ?? "";
  const version = specifier.split("@").at(-1) ?? "";
  const dot = name.lastIndexOf(".");
  return `/vendor/${name.slice(0, dot)}-${version}${name.slice(dot)}`;
}

function fontFile(font: string): VendorFile {
  return {
    name: `${font}.woff2`,
    package: `@fontsource-variable/${font}`,
    file: `files/${font}-latin-wght-normal.woff2`,
  };
}
