import type { ProdBuildCache } from "./build/prod_build_cache.ts";
import { Context } from "./context.ts";
import { PathReader } from "./routing/request_url.ts";
import { RouteTable } from "./routing/route_table.ts";
import { answerUncaught } from "./routing/steps.ts";
import { setBuildId } from "./runtime/asset.ts";
import type { Middleware, Route, RouteComponent } from "./types.ts";

/** Answers requests, in the form `Deno.serve` takes. */
type RequestHandler = (request: Request, info?: Deno.ServeHandlerInfo) => Promise<Response>;

const DIRECT_CALL_INFO: Deno.ServeHandlerInfo = {
  remoteAddr: { transport: "tcp", hostname: "localhost", port: 1234 },
  completed: Promise.resolve(),
};

/** Collects middlewares and routes, and makes the request handler of them. */
export class App<State> {
  /** Calls of the methods, kept until the build is known. */
  readonly #registrations: ((table: RouteTable<State>) => void)[] = [];
  #buildCache: ProdBuildCache<State> | null = null;

  /** Gives the app the outcome of a build; for this package only. */
  static setBuildCache<State>(app: App<State>, cache: ProdBuildCache<State>, _mode: "production"): void {
    app.#buildCache = cache;
    setBuildId(cache.buildId);
  }

  /** Adds middlewares for the routes registered after it. */
  use(...middlewares: Middleware<State>[]): this {
    return this.#register((table) => table.use("", middlewares));
  }

  /** Adds a page with its handler. */
  route(path: string, route: Route<State>): this {
    return this.#register((table) => table.add(path, "", route));
  }

  /** Wraps all pages in the outermost document. */
  appWrapper(component: RouteComponent<State>): this {
    return this.#register((table) => table.set("", { app: component }));
  }

  /** Answers errors thrown anywhere. */
  onError(_path: "*", route: Route<State>): this {
    return this.#register((table) => table.set("", { errorRoute: route }));
  }

  /** Puts the routes of the route folder here. */
  fsRoutes(): this {
    return this.#register((table) => this.#buildCache?.addRoutes(table));
  }

  /** Makes the request handler; what is registered later does not change it. */
  handler(): RequestHandler {
    const buildCache = this.#buildCache;
    const table = new RouteTable<State>();
    for (const register of this.#registrations) register(table);
    const resolve = table.finish();
    const paths = new PathReader();
    return async (req, info = DIRECT_CALL_INFO) => {
      const resolving = resolve(paths.read(req.url));
      const { route, params, steps } = resolving instanceof Promise ? await resolving : resolving;
      return await respond(new Context<State>({ req, info, buildCache, route, params, steps }));
    };
  }

  #register(registration: (table: RouteTable<State>) => void): this {
    this.#registrations.push(registration);
    return this;
  }
}

/** Gives an app the outcome of a build. */
export const setBuildCache = App.setBuildCache;

async function respond<State>(ctx: Context<State>): Promise<Response> {
  try {
    const response = await ctx.next();
    if (!(response instanceof Response)) {
      throw new TypeError(`A middleware must return a Response, but returned: ${response}`);
    }
    if (ctx.req.method !== "HEAD") return response;
    await response.body?.cancel();
    return new Response(null, response);
  } catch (error) {
    return answerUncaught(error);
  }
}
