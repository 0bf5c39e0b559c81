import { type BuildCache, emptyBuildCache } from "./build/build_cache.ts";
import type { MaybeLazy, MaybeLazyMiddleware, Middleware, Route, RouteConfig } from "./types.ts";
import type { FreshConfig, LayoutConfig, ResolvedFreshConfig } from "./config.ts";
import { Context } from "./context.ts";
import type { Method } from "./handlers.ts";
import type { RouteComponent } from "./render/wrappers.ts";
import { answerUncaught } from "./routing/chain.ts";
import { mergePath } from "./routing/pattern.ts";
import { PathReader } from "./routing/request_url.ts";
import { type Registration, RouteTable } from "./routing/route_table.ts";
import { setBuildId } from "./runtime/asset.ts";

/** Address and callbacks of `listen()`. */
export type ListenOptions = Partial<
  Deno.ServeTcpOptions & Deno.TlsCertifiedKeyPem
>;

/** Answers requests, in the form `Deno.serve` takes. */
type RequestHandler = (request: Request, info?: Deno.ServeHandlerInfo) => Promise<Response>;

const FIRST_PORT = 8000;
const LAST_PORT = 8019;

const DIRECT_CALL_INFO: Deno.ServeHandlerInfo = {
  remoteAddr: { transport: "tcp", hostname: "localhost", port: 1234 },
  completed: Promise.resolve(),
};

/** Collects middlewares and routes, and makes the request handler of them. */
export class App<State> {
  readonly #registrations: Registration<State>[] = [];
  #buildCache: BuildCache<State> | null = null;
  config: ResolvedFreshConfig;

  constructor(config: FreshConfig = {}) {
    this.config = {
      root: ".",
      basePath: config.basePath ?? "",
      mode: config.mode ?? "production",
    };
  }

  /** Gives the app the outcome of a build; for this package only. */
  static setBuildCache<State>(
    app: App<State>,
    cache: BuildCache<State>,
    mode: ResolvedFreshConfig["mode"],
  ): void {
    app.#buildCache = cache;
    setBuildId(cache.buildId);
    app.config.root = cache.root;
    app.config.mode = mode;
  }

  /** Adds middlewares for the routes registered after it, everywhere or below a path. */
  use(...middlewares: MaybeLazyMiddleware<State>[]): this;
  use(path: string, ...middlewares: MaybeLazyMiddleware<State>[]): this;
  use(first: string | MaybeLazyMiddleware<State>, ...rest: MaybeLazyMiddleware<State>[]): this {
    return typeof first === "string"
      ? this.#register({ kind: "use", path: first, middlewares: rest })
      : this.#register({
        kind: "use",
        path: "*",
        middlewares: [first, ...rest],
      });
  }

  /** Answers GET, and HEAD without a body. */
  get(path: string, ...middlewares: MaybeLazy<Middleware<State>>[]): this {
    return this.#handle("GET", path, middlewares);
  }

  /** Answers POST. */
  post(path: string, ...middlewares: MaybeLazy<Middleware<State>>[]): this {
    return this.#handle("POST", path, middlewares);
  }

  /** Answers PATCH. */
  patch(path: string, ...middlewares: MaybeLazy<Middleware<State>>[]): this {
    return this.#handle("PATCH", path, middlewares);
  }

  /** Answers PUT. */
  put(path: string, ...middlewares: MaybeLazy<Middleware<State>>[]): this {
    return this.#handle("PUT", path, middlewares);
  }

  /** Answers DELETE. */
  delete(path: string, ...middlewares: MaybeLazy<Middleware<State>>[]): this {
    return this.#handle("DELETE", path, middlewares);
  }

  /** Answers HEAD. */
  head(path: string, ...middlewares: MaybeLazy<Middleware<State>>[]): this {
    return this.#handle("HEAD", path, middlewares);
  }

  /** Answers every method. */
  all(path: string, ...middlewares: MaybeLazy<Middleware<State>>[]): this {
    return this.#handle("ALL", path, middlewares);
  }

  /** Adds a page with its handler. */
  route(path: string, route: MaybeLazy<Route<State>>, config?: RouteConfig): this {
    return this.#register({ kind: "route", path, route, config });
  }

  /** Wraps the pages below a path. */
  layout(path: string, component: RouteComponent<State>, config?: LayoutConfig): this {
    return this.#register({ kind: "layout", path, component, config });
  }

  /** Wraps all pages in the outermost document. */
  appWrapper(component: RouteComponent<State>): this {
    return this.#register({ kind: "app", component });
  }

  /** Answers errors thrown below a path. */
  onError(path: string, page: Route<State> | Middleware<State>): this {
    return this.#register({ kind: "error", path, route: toRoute(page) });
  }

  /** Answers what ends in a 404 error. */
  notFound(page: Route<State> | Middleware<State>): this {
    return this.#register({ kind: "notFound", route: toRoute(page) });
  }

  /** Puts the routes of the route folder here, below a path if one is given. */
  fsRoutes(path = "*"): this {
    return this.#register({ kind: "fsRoutes", path });
  }

  /** Puts another app's routes here, below a path. */
  mountApp(path: string, app: App<State>): this {
    for (const inner of app.#registrations) {
      if (inner.kind === "app" || inner.kind === "notFound") {
        this.#register(inner);
      } else {
        const innerPath = mergePath(app.config.basePath, inner.path);
        this.#register({ ...inner, path: mergePath(path, innerPath) });
      }
    }
    return this;
  }

  /** Makes the request handler; what is registered later does not change it. */
  handler(): RequestHandler {
    const { config } = this;
    const buildCache = this.#buildCache ?? emptyBuildCache<State>(config.root);
    const table = new RouteTable(this.#registrations, config.basePath, buildCache);
    const paths = new PathReader();
    return async (req, info = DIRECT_CALL_INFO) => {
      const resolving = table.resolve(req.method, paths.read(req.url));
      const { route, params, steps } = resolving instanceof Promise ? await resolving : resolving;
      return await respond(new Context<State>({ req, info, config, buildCache, route, params, steps }));
    };
  }

  /** Serves the app; without a port it takes the first free one from 8000. */
  async listen(options: ListenOptions = {}): Promise<void> {
    const handler = this.handler();
    if (options.port === undefined) await serveOnFreePort(options, handler);
    else await Deno.serve(options, handler);
  }

  #handle(method: Method | "ALL", path: string, middlewares: MaybeLazy<Middleware<State>>[]): this {
    return this.#register({ kind: "handle", path, method, middlewares });
  }

  #register(registration: Registration<State>): this {
    this.#registrations.push(registration);
    return this;
  }
}

/** Gives an app the outcome of a build. */
export const setBuildCache = App.setBuildCache;

function toRoute<State>(page: Route<State> | Middleware<State>): Route<State> {
  return typeof page === "function" ? { handler: page } : page;
}

async function respond<State>(ctx: Context<State>): Promise<Response> {
  try {
    const response = await ctx.next();
    if (!(response instanceof Response)) {
      throw new TypeError(`A middleware must return a Response, but returned: ${response}`);
    }
    return ctx.req.method === "HEAD" ? await withoutBody(response) : response;
  } catch (error) {
    return answerUncaught(error);
  }
}

async function withoutBody(response: Response): Promise<Response> {
  await response.body?.cancel();
  return new Response(null, response);
}

function serveOnFreePort(options: ListenOptions, handler: RequestHandler): Deno.HttpServer {
  for (let port = FIRST_PORT; port < LAST_PORT; port++) {
    try {
      return Deno.serve({ ...options, port }, handler);
    } catch (error) {
      if (!(error instanceof Deno.errors.AddrInUse)) throw error;
    }
  }
  return Deno.serve({ ...options, port: LAST_PORT }, handler);
}
