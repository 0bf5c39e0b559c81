import { App, staticFiles } from "fresh";
import { Builder } from "fresh/dev";
import { ProdBuildCache, setBuildCache } from "fresh/internal";

/**
 * A small project on disk and its app; the files are inside the repository, so that its import map applies.
 */
export interface Project {
  builder: Builder;
  app: App<unknown>;
  /** Sends a request to the app's handler. */
  get(path: string, init?: RequestInit): Promise<Response>;
  /** Returns the text of a GET response. */
  text(path: string): Promise<string>;
}

/** Writes the files, builds them and runs a test with the app; the files are removed afterwards. */
export async function withProject(
  files: Record<string, string>,
  test: (project: Project) => Promise<void>,
  makeApp: () => App<unknown> = () => new App().use(staticFiles()).fsRoutes(),
): Promise<void> {
  await withFiles(files, async (root) => {
    const builder = new Builder({ root });
    await builder.build();
    const app = makeApp();
    const snapshot = await import(`file://${root}/_fresh/snapshot.js`);
    setBuildCache(app, new ProdBuildCache(root, snapshot), "production");
    await test({ builder, app, ...client(app) });
  });
}

/** Writes the files, builds them and runs a test with the built server; all is removed afterwards. */
export async function withBuild(
  files: Record<string, string>,
  test: (build: Omit<Project, "app">) => Promise<void>,
  prepare: (builder: Builder) => void = () => {},
): Promise<void> {
  const main = `import { App, staticFiles } from "fresh";
    export const app = new App().use(staticFiles()).fsRoutes();`;
  await withFiles({ "main.ts": main, ...files }, async (root) => {
    const builder = new Builder({ root });
    prepare(builder);
    await builder.build();
    const server: { default: { fetch: Handler } } = await import(`file://${root}/_fresh/server.js`);
    await test({ builder, ...clientOf(server.default.fetch) });
  });
}

/** Runs a test with files in a temporary folder. */
async function withFiles(
  files: Record<string, string>,
  test: (root: string) => Promise<void>,
): Promise<void> {
  const root = await Deno.makeTempDir({ dir: new URL(".", import.meta.url).pathname, prefix: "tmp_" });
  try {
    for (const [path, content] of Object.entries(files)) {
      const file = `${root}/${path}`;
      await Deno.mkdir(file.slice(0, file.lastIndexOf("/")), { recursive: true });
      await Deno.writeTextFile(file, content);
    }
    await test(root);
  } finally {
    await Deno.remove(root, { recursive: true });
  }
}

/** Returns functions that send requests to an app's handler. */
export function client(app: App<unknown>): Pick<Project, "get" | "text"> {
  return clientOf(app.handler());
}

type Handler = (request: Request) => Promise<Response>;

function clientOf(handler: Handler): Pick<Project, "get" | "text"> {
  const get = (path: string, init?: RequestInit) => handler(new Request(`http://localhost${path}`, init));
  return { get, text: async (path) => await (await get(path)).text() };
}
