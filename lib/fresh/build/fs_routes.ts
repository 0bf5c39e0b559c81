import { fileToPattern } from "../routing/pattern.ts";
import type { RouteTable } from "../routing/route_table.ts";
import type { HandlerFn, Middleware, Route, RouteComponent } from "../types.ts";

/** Role of a file below the route folder. */
export type FsFileKind = "app" | "middleware" | "layout" | "error" | "route";

/** A file below the route folder; `id` is its path there without the extension. A route is loaded by its first request. */
export interface FsFile {
  id: string;
  kind: FsFileKind;
  mod: unknown;
}

interface FsModule<State> {
  handler?: HandlerFn<unknown, State> | Middleware<State>[];
  default?: RouteComponent<State>;
}

/** Registers the files of the route folder, which are in matching order; the routes after all that is set for them. */
export function addFsRoutes<State>(table: RouteTable<State>, files: readonly FsFile[]): void {
  for (const { id, kind, mod } of files) {
    if (kind === "route") continue;
    const folder = folderOf(id);
    const { handler, default: component } = checkModule<State>(id, mod);
    if (kind === "app") table.set("", { app: component ?? null });
    if (kind === "error") table.set(folder, { errorRoute: { component } });
    if (kind === "layout") table.set(folder, { layout: component ?? null });
    if (kind === "middleware") table.use(folder, [handler ?? []].flat() as Middleware<State>[]);
  }
  for (const { id, kind, mod } of files) {
    if (kind !== "route" || typeof mod !== "function") continue;
    table.add(fileToPattern(id), folderOf(id), async () => toRoute(id, await mod()));
  }
}

/** "(site)/users/[id]" → "/(site)/users" */
function folderOf(id: string): string {
  const end = id.lastIndexOf("/");
  return end === -1 ? "" : `/${id.slice(0, end)}`;
}

/** @throws Error when the module exports nothing a route file can hold. */
function checkModule<State>(id: string, mod: unknown): FsModule<State> {
  if (!isFsModule<State>(mod)) {
    throw new Error(`No page, handler or middleware is exported by the route file "${id}"`);
  }
  return mod;
}

function isFsModule<State>(mod: unknown): mod is FsModule<State> {
  if (mod === null || typeof mod !== "object") return false;
  const { handler, default: component }: FsModule<State> = mod;
  return typeof component === "function" || typeof handler === "function" || Array.isArray(handler);
}

function toRoute<State>(id: string, mod: unknown): Route<State> {
  const { handler, default: component } = checkModule<State>(id, mod);
  if (Array.isArray(handler) || (handler?.length ?? 0) > 1) {
    throw new Error(`The handler of the route file "${id}" must be a function of one argument`);
  }
  return { handler, component };
}
