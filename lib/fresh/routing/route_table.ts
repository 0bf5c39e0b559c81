import type { BuildCache } from "../build/build_cache.ts";
import type { Method } from "../handlers.ts";
import type { RouteComponent } from "../render/wrappers.ts";
import { HttpError } from "../runtime/http_error.ts";
import type { MaybeLazy, MaybeLazyMiddleware, Middleware, Route, RouteConfig } from "../types.ts";
import type { LayoutConfig } from "../config.ts";
import { Chain, type ChainEnd, createStep, pathSteps, Segment, type Step, throwNotFound } from "./chain.ts";
import { mergePath } from "./pattern.ts";
import { Router } from "./router.ts";

/** One call of an `App` method, kept until the app's handler is made. */
export type Registration<State> =
  | { kind: "use"; path: string; middlewares: MaybeLazyMiddleware<State>[] }
  | {
    kind: "handle";
    path: string;
    method: Method | "ALL";
    middlewares: MaybeLazyMiddleware<State>[];
  }
  | {
    kind: "route";
    path: string;
    route: MaybeLazy<Route<State>>;
    config: RouteConfig | undefined;
  }
  | {
    kind: "layout";
    path: string;
    component: RouteComponent<State>;
    config: LayoutConfig | undefined;
  }
  | { kind: "error"; path: string; route: Route<State> }
  | { kind: "fsRoutes"; path: string }
  | { kind: "app"; component: RouteComponent<State> }
  | { kind: "notFound"; route: Route<State> };

/** Steps that a request runs: the matched route's, or the root's. */
export interface Resolution<State> {
  route: string | null;
  params: Record<string, string>;
  steps: readonly Step<State>[];
}

const ALL_METHODS: readonly Method[] = ["GET", "DELETE", "HEAD", "OPTIONS", "PATCH", "POST", "PUT"];

/** The routes of an app, made once from its registrations. */
export class RouteTable<State> {
  readonly #router = new Router<Chain<State>>();
  readonly #root = new Segment<State>();
  readonly #basePath: string;
  readonly #buildCache: BuildCache<State>;
  #notFound: Route<State> | null = null;
  readonly #unmatched: readonly Step<State>[];

  constructor(
    registrations: readonly Registration<State>[],
    basePath: string,
    buildCache: BuildCache<State>,
  ) {
    this.#basePath = basePath;
    this.#buildCache = buildCache;
    for (const registration of registrations) this.#apply(registration);
    this.#unmatched = this.#rootSteps(throwNotFound);
  }

  /** The steps for a request; only the root's middlewares run when no route answers it. */
  resolve(requestMethod: string, pathname: string): Resolution<State> | Promise<Resolution<State>> {
    const method = requestMethod.toUpperCase();
    const { pattern, item: chain, params } = this.#router.match(method, pathname);
    if (pattern === null) {
      return { route: null, params, steps: this.#unmatched };
    }
    if (chain === null) {
      return { route: pattern, params, steps: this.#refusal(method, pattern) };
    }
    if (chain.steps !== null) {
      return { route: pattern, params, steps: chain.steps };
    }
    return chain.prepare(this.#notFound).then((steps) => ({
      route: pattern,
      params,
      steps,
    }));
  }

  #apply(registration: Registration<State>): void {
    switch (registration.kind) {
      case "use":
        return this.#root.at(registration.path).use(registration.middlewares);
      case "layout": {
        const { component, config } = registration;
        return this.#root.at(registration.path).set({
          layout: { component, config },
        });
      }
      case "error":
        return this.#root.at(registration.path).set({
          errorRoute: registration.route,
        });
      case "app":
        return this.#root.set({ app: registration.component });
      case "notFound":
        this.#notFound = registration.route;
        return;
      case "handle": {
        const { path, method, middlewares } = registration;
        const methods = method === "ALL" ? ALL_METHODS : [method];
        return this.#add({
          segment: path,
          path,
          methods,
          end: { middlewares },
        });
      }
      case "route":
        return this.#addRoute(registration.path, registration.path, registration);
      case "fsRoutes":
        return this.#applyFsRoutes(registration.path);
    }
  }

  #applyFsRoutes(prefix: string): void {
    const { app, notFound, layouts, middlewares, errorRoutes, routes } = this.#buildCache.fsRoutes;
    if (app !== null) this.#root.set({ app });
    if (notFound !== null) this.#notFound = notFound;
    for (const found of middlewares) {
      this.#root.at(found.segment).use(found.middlewares);
    }
    for (const found of errorRoutes) {
      this.#root.at(found.segment).set({ errorRoute: found.route });
    }
    for (const { segment, component, config } of layouts) {
      this.#root.at(segment).set({ layout: { component, config } });
    }
    for (const { segment, pattern, route } of routes) {
      this.#addRoute(segment, mergePath(prefix, pattern), { route });
    }
  }

  /** An eager route answers the methods of its handler; a lazy one is asked for all of them. */
  #addRoute(
    segment: string,
    path: string,
    { route, config }: {
      route: MaybeLazy<Route<State>>;
      config?: RouteConfig | undefined;
    },
  ): void {
    if (typeof route === "function") {
      const methods = Array.isArray(config?.methods) ? config.methods : ALL_METHODS;
      this.#add({
        segment,
        path: config?.routeOverride ?? path,
        methods,
        end: { route },
      });
      return;
    }
    const methods = routeMethods(route);
    const override = config?.routeOverride ?? route.config?.routeOverride;
    this.#add({ segment, path: override ?? path, methods, end: { route } });
  }

  #add({ segment, path, methods, end }: {
    segment: string;
    path: string;
    methods: readonly string[];
    end: ChainEnd<State>;
  }): void {
    const pattern = mergePath(this.#basePath, path);
    const chain = new Chain(this.#root.at(segment).path(), end);
    for (const method of methods) this.#router.add(method, pattern, chain);
  }

  #rootSteps(run: Middleware<State>): readonly Step<State>[] {
    const { steps, wrappers } = pathSteps(this.#root.path(), this.#notFound);
    return [...steps, createStep(run, wrappers)];
  }

  #refusal(method: string, pattern: string): readonly Step<State>[] {
    const allow = this.#router.allowedMethods(pattern).join(", ");
    return this.#rootSteps(() => {
      if (method !== "OPTIONS") throw new HttpError(405);
      return new Response(null, { status: 204, headers: { Allow: allow } });
    });
  }
}

/** The methods of a route as it names them; requests find only those in upper case. */
function routeMethods<State>({ handler, component }: Route<State>): readonly string[] {
  if (typeof handler !== "object") return ALL_METHODS;
  const named = Object.keys(handler);
  const showsPage = component !== undefined && handler.GET === undefined;
  return showsPage ? [...named, "GET"] : named;
}
