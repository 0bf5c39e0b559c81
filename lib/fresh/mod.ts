export { App, type ListenOptions } from "./app.ts";
export type { FreshConfig, ResolvedFreshConfig } from "./config.ts";
export { Context, type FreshContext } from "./context.ts";
export { createDefine, type Define } from "./define.ts";
export {
  type HandlerByMethod,
  type HandlerFn,
  type Method,
  page,
  type PageResponse,
  type RouteData,
  type RouteHandler,
} from "./handlers.ts";
export { HttpError } from "./runtime/http_error.ts";
export { csp, type CSPOptions } from "./middlewares/csp.ts";
export { staticFiles } from "./middlewares/static_files.ts";
export type { Island } from "./render/island.ts";
export type { PageProps } from "./render/wrappers.ts";
export type { LayoutConfig } from "./config.ts";
export type { Lazy, MaybeLazy, Middleware, Route, RouteConfig } from "./types.ts";
