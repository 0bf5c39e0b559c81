import { Builder } from "fresh/dev";
import { compressAssets } from "./compress_assets.ts";
import { writeRouteList } from "./route_list.ts";
import { compileStyles } from "./styles.ts";
import { copyVendorFiles } from "./vendor_files.ts";

/** Creates the builder of the browser bundles, the style sheet and the route list of this project. */
function createBuilder(): Builder {
  const builder = new Builder({ root: new URL("../../", import.meta.url).href });
  builder.onTransformStaticFile({ pluginName: "styles", filter: /styles\.css$/ }, async ({ text }) => {
    return { content: await compileStyles(text) };
  });
  return builder;
}

/** Builds everything that the server needs into `_fresh`. */
export async function build(): Promise<void> {
  await copyVendorFiles();
  await createBuilder().build();
  await compressAssets();
  await writeRouteList();
}
