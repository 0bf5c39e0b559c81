import { VENDOR_FILES, vendorPath } from "@/lib/ui/vendor.ts";

const ROOT = new URL("../../", import.meta.url);

/**
 * Copies the packages' files into `static/vendor`, with the version in each name so that browsers may cache
 * them. Existing files are left alone: a watcher of the folder would report a change.
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
