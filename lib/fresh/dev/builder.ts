import { App, type ListenOptions, setBuildCache } from "../app.ts";
import { emptyBuildCache } from "../build/build_cache.ts";
import { sha1Hex } from "../build/build_assets.ts";
import { type BuildOptions, crawlProject, type ResolvedBuildConfig, toPath } from "./crawl.ts";
import { bundleIslands, FileTransformer, type OnTransformOptions, type TransformFn } from "./bundle.ts";
import { type BuildInput, prepareMemoryCaches, writeSnapshot } from "./disk_snapshot.ts";

const TEST_FILE = /[._]test\.(?:[tj]sx?|[mc][tj]s)$/;

/** Puts the outcome of a build into an app. */
type ApplySnapshot = <State>(app: App<State>) => void;

/** Bundles the islands of a project and collects its routes and static files, on disk or in memory. */
export class Builder {
  readonly config: ResolvedBuildConfig;
  readonly #transformer = new FileTransformer();
  readonly #islands = new Set<string>();

  constructor(options: BuildOptions = {}) {
    const root = toPath(options.root ?? ".", Deno.cwd());
    this.config = {
      target: options.target ?? ["chrome99", "firefox99", "safari15"],
      root,
      outDir: toPath(options.outDir ?? "_fresh", root),
      staticDir: toPath(options.staticDir ?? "static", root),
      islandDir: toPath(options.islandDir ?? "islands", root),
      routeDir: toPath(options.routeDir ?? "routes", root),
      serverEntry: toPath(options.serverEntry ?? "main.ts", root),
      ignore: options.ignore ?? [TEST_FILE],
      mode: "production",
      buildId: "",
      sourceMap: options.sourceMap,
    };
  }

  /** Adds a file of islands outside their folders. */
  registerIsland(specifier: string): void {
    this.#islands.add(toPath(specifier, this.config.root));
  }

  /** Transforms static files: in a disk build when it is made, else when a file is first asked for. */
  onTransformStaticFile(options: OnTransformOptions, callback: TransformFn): void {
    this.#transformer.add(options, callback);
  }

  /**
   * Builds, and gives the function that puts the outcome into an app; any number of apps may have it. A build on
   * disk is for `server.js`, which loads the routes itself, so its function gives an app none.
   */
  async build(
    { mode = "production", snapshot = "disk" }: {
      mode?: ResolvedBuildConfig["mode"];
      snapshot?: "disk" | "memory";
    } = {},
  ): Promise<ApplySnapshot> {
    const input = await this.#collect(mode);
    if (snapshot === "disk") {
      await writeSnapshot(input);
      return (app) => setBuildCache(app, emptyBuildCache(input.config.root), app.config.mode);
    }
    const makeCache = await prepareMemoryCaches(input);
    return (app) => setBuildCache(app, makeCache(), app.config.mode);
  }

  /** Builds in memory for development and serves the app. */
  async listen<State>(
    importApp: () => Promise<{ app: App<State> } | App<State>>,
    options: ListenOptions = {},
  ): Promise<void> {
    const imported = await importApp();
    const app = imported instanceof App ? imported : imported.app;
    app.config.mode = "development";
    const applySnapshot = await this.build({
      mode: "development",
      snapshot: "memory",
    });
    applySnapshot(app);
    await app.listen(options);
  }

  async #collect(mode: ResolvedBuildConfig["mode"]): Promise<BuildInput> {
    this.config.mode = mode;
    this.config.buildId ||= await makeBuildId();
    const { routes, islands } = await crawlProject(this.config);
    const islandPaths = [...new Set([...islands, ...this.#islands])];
    const bundle = await bundleIslands(this.config, islandPaths);
    return {
      config: this.config,
      transformer: this.#transformer,
      routes,
      islands: islandPaths,
      bundle,
    };
  }
}

/** Equal for all machines that serve one deployment; random where nothing names it. */
async function makeBuildId(): Promise<string> {
  const deployment = ["DENO_DEPLOYMENT_ID", "GITHUB_SHA", "CI_COMMIT_SHA"]
    .map((name) => Deno.env.get(name))
    .find((value) => value);
  return await sha1Hex(deployment ?? crypto.randomUUID());
}
