import { bundleIslands, type OnTransformOptions, type Transform, type TransformFn } from "./bundle.ts";
import { type BuildOptions, crawlProject, type ResolvedBuildConfig, toPath } from "./crawl.ts";
import { writeSnapshot } from "./disk_snapshot.ts";

/** Bundles the islands of a project and collects its routes and static files. */
export class Builder {
  readonly config: ResolvedBuildConfig;
  readonly #transforms: Transform[] = [];

  constructor(options: BuildOptions) {
    const root = toPath(options.root, Deno.cwd());
    this.config = { root, outDir: toPath(options.outDir ?? "_fresh", root), buildId: "" };
  }

  /** Transforms static files when a build is made. */
  onTransformStaticFile(options: OnTransformOptions, run: TransformFn): void {
    this.#transforms.push({ options, run });
  }

  /** Writes a build to the output folder. */
  async build(): Promise<void> {
    this.config.buildId ||= await makeBuildId();
    const { routes, islands } = await crawlProject(this.config.root);
    const bundle = await bundleIslands(this.config, islands);
    await writeSnapshot({ config: this.config, transforms: this.#transforms, routes, bundle });
  }
}

/** Equal for all machines that serve one deployment; random where nothing names it. */
async function makeBuildId(): Promise<string> {
  const deployment = ["DENO_DEPLOYMENT_ID", "GITHUB_SHA", "CI_COMMIT_SHA"]
    .map((name) => Deno.env.get(name))
    .find((value) => value);
  const text = new TextEncoder().encode(deployment ?? crypto.randomUUID());
  return new Uint8Array(await crypto.subtle.digest("SHA-1", text)).toHex();
}
