import { VENDOR_FILES, vendorPath } from "@/lib/ui/vendor.ts";

const ROOT = new URL("../../", import.meta.url);

/** Puts the packages' files below `static/vendor`, each with its version in its name, so that browsers may keep them. */
export async function copyVendorFiles(): Promise<void> {
  await Deno.remove(new URL("static/vendor/", ROOT), { recursive: true }).catch(() => {});
  await Deno.mkdir(new URL("static/vendor/", ROOT), { recursive: true });
  for (const { name, package: from, file } of VENDOR_FILES) {
    const source = new URL(`node_modules/${from}/${file}`, ROOT);
    await Deno.copyFile(source, new URL(`static${vendorPath(name)}`, ROOT));
  }
}
