import type { ResolvedBuildConfig } from "./build_config.ts";
import type { ClientBundle } from "./bundle.ts";
import type { crawlProject } from "./crawl.ts";
import type { FileTransformer } from "./transform.ts";

/** One build's settings and everything that was found for it. */
export interface BuildInput extends Awaited<ReturnType<typeof crawlProject>> {
  config: ResolvedBuildConfig;
  transformer: FileTransformer;
  bundle: ClientBundle;
}
