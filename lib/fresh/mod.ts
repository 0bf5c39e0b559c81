export { App } from "./app.ts";
export { Context } from "./context.ts";
export { csp, type CSPOptions } from "./middlewares/csp.ts";
export { staticFiles } from "./middlewares/static_files.ts";
export { HttpError } from "./runtime/http_error.ts";
export {
  createDefine,
  type Define,
  type HandlerFn,
  type Middleware,
  page,
  type PageProps,
  type PageResponse,
  type Route,
} from "./types.ts";
