import { VENDOR_FILES, vendorPath } from "@/lib/ui/vendor.ts";

const ROOT = new URL("../../", import.meta.url);

/**
 * Puts the packages' files below `static/vendor`, each with its version in its name, so that browsers may keep them.
 * What is there already is left alone: whoever watches the folder would see a change where there is none.
 */
export async function copyVendorFiles(): Promise<void> {
  const folder = new URL("static/vendor/", ROOT);
  await Deno.mkdir(folder, { recursive: true });
  const missing = new Map(VENDOR_FILES.map((vendored) => [vendorPath(vendored.name), vendored]));
  for await (const { name } of Deno.readDir(folder)) {
    if (!missing.delete(`/vendor/${name}`)) await Deno.remove(new URL(name, folder), { recursive: true });
  }
  for (const [path, { package: from, file }] of missing) {
    const partial = new URL(`static${path}.partial`, ROOT);
    await Deno.copyFile(new URL(`node_modules/${from}/${file}`, ROOT), partial);
    await Deno.rename(partial, new URL(`static${path}`, ROOT));
  }
}
