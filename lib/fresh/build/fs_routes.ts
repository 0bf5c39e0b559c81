import type { HandlerFn, RouteHandler } from "../handlers.ts";
import type { RouteComponent } from "../render/wrappers.ts";
import { fileToPattern, folderToPattern } from "../routing/pattern.ts";
import type { MaybeLazy, Middleware, Route, RouteConfig } from "../types.ts";
import type { LayoutConfig } from "../config.ts";

/** Role of a file below the route folder. */
export type FsFileKind =
  | "app"
  | "middleware"
  | "layout"
  | "error"
  | "notFound"
  | "route";

/** A file below the route folder; `id` is its path there without the extension. */
export interface FsFile {
  id: string;
  kind: FsFileKind;
  mod: MaybeLazy<unknown>;
}

/** The route files of a project, checked and sorted by what they are for. */
export interface FsRoutes<State> {
  middlewares: { segment: string; middlewares: Middleware<State>[] }[];
  layouts: {
    segment: string;
    component: RouteComponent<State>;
    config: LayoutConfig | undefined;
  }[];
  errorRoutes: { segment: string; route: Route<State> }[];
  app: RouteComponent<State> | null;
  notFound: Route<State> | null;
  routes: {
    segment: string;
    pattern: string;
    route: MaybeLazy<Route<State>>;
  }[];
}

interface FsModule<State> {
  config?: RouteConfig;
  handler?: RouteHandler<unknown, State> | HandlerFn<unknown, State>[];
  handlers?: RouteHandler<unknown, State> | HandlerFn<unknown, State>[];
  default?: RouteComponent<State>;
}

/** Turns the files of the route folder, already in matching order, into what an app registers. */
export function readFsRoutes<State>(files: readonly FsFile[]): FsRoutes<State> {
  const found: FsRoutes<State> = {
    middlewares: [],
    layouts: [],
    errorRoutes: [],
    app: null,
    notFound: null,
    routes: [],
  };
  for (const file of files) addFile(found, file);
  return found;
}

function addFile<State>(found: FsRoutes<State>, { id, kind, mod }: FsFile): void {
  const segment = folderToPattern(id.slice(0, Math.max(id.lastIndexOf("/"), 0)));
  if (kind === "route") {
    const route = isLazy(mod) ? async () => toRoute<State>(id, await mod()) : toRoute<State>(id, mod);
    found.routes.push({ segment, pattern: fileToPattern(id), route });
    return;
  }
  const loaded = checkModule<State>(id, mod);
  switch (kind) {
    case "app":
      found.app = loaded.default ?? null;
      break;
    case "notFound":
      found.notFound = toRoute(id, mod);
      break;
    case "error":
      found.errorRoutes.push({ segment, route: toRoute(id, mod) });
      break;
    case "middleware":
      found.middlewares.push({ segment, middlewares: toMiddlewares(loaded) });
      break;
    case "layout":
      if (loaded.default) {
        found.layouts.push({
          segment,
          component: loaded.default,
          config: loaded.config,
        });
      }
      break;
  }
}

function isLazy(mod: unknown): mod is () => Promise<unknown> {
  return typeof mod === "function";
}

/** @throws Error when the module exports nothing a route file can hold. */
function checkModule<State>(id: string, mod: unknown): FsModule<State> {
  if (!isFsModule<State>(mod)) {
    throw new Error(`No page, handler, middleware or config is exported by the route file "${id}"`);
  }
  const handler = mod.handlers ?? mod.handler;
  if (typeof handler === "function" && handler.length > 1) {
    throw new Error(`A handler takes one argument; the one of the route file "${id}" takes more`);
  }
  return mod;
}

function isFsModule<State>(mod: unknown): mod is FsModule<State> {
  if (mod === null || typeof mod !== "object") return false;
  const exports: FsModule<State> = mod;
  return typeof exports.default === "function" ||
    typeof exports.config === "object" ||
    isHandlerLike(exports.handler) || isHandlerLike(exports.handlers);
}

function isHandlerLike(value: unknown): boolean {
  return typeof value === "function" ||
    (typeof value === "object" && value !== null);
}

function toRoute<State>(id: string, mod: unknown): Route<State> {
  const { config, handler, handlers, default: component } = checkModule<State>(id, mod);
  const chosen = handlers ?? handler;
  if (Array.isArray(chosen)) {
    throw new Error(`The route file "${id}" exports an array as its handler`);
  }
  return { config, handler: chosen, component };
}

/** A middleware file exports one middleware or a list of them, by name or as its default. */
function toMiddlewares<State>(mod: FsModule<State>): Middleware<State>[] {
  const exported = (mod.handlers ?? mod.handler ?? mod.default) as
    | Middleware<State>
    | Middleware<State>[];
  return Array.isArray(exported) ? exported : [exported];
}
