import type { Context } from "./context.ts";
import type { Method, RouteHandler } from "./handlers.ts";
import type { LayoutConfig } from "./config.ts";
import type { RouteComponent } from "./render/wrappers.ts";

/** A function that makes its value when it is first needed. */
export type Lazy<T> = () => Promise<T>;

/** A value, or a function that loads it. */
export type MaybeLazy<T> = T | Lazy<T>;

/** A step in the handling of a request: answers it, or passes it on with `ctx.next()`. */
export type Middleware<State> = (ctx: Context<State>) => Response | Promise<Response>;

/** A middleware, or a function that the first request calls to load it. */
export type MaybeLazyMiddleware<State> = (
  ctx: Context<State>,
) => Response | Promise<Response | Middleware<State>>;

/** Per-route settings, exported as `config` from a route file. */
export interface RouteConfig extends LayoutConfig {
  /** The URL pattern to use in place of the one the file's path gives. */
  routeOverride?: string;
  /** The methods a lazy route answers; all of them by default. */
  methods?: "ALL" | Method[];
}

/** A page: its handler, its component and its settings. */
export interface Route<State> {
  component?: RouteComponent<State> | undefined;
  config?: RouteConfig | undefined;
  handler?: RouteHandler<unknown, State> | undefined;
}
