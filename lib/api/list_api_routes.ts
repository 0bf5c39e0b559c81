import type { Services } from "@/lib/services/services.ts";
import type { PathHandler } from "./methods.ts";
import type { ApiRoute } from "./openapi.ts";
import { isApiEndpoint } from "./openapi_chat.ts";
import { isEndpoint } from "./openapi_links.ts";

/** Lists the routes of the server that have endpoints, in the order of their paths. */
export async function listApiRoutes({ listRoutes }: Services): Promise<ApiRoute[]> {
  const routes = await Promise.all((await listRoutes()).map(async ({ path, load }) => {
    const handler = readPathHandler(await load());
    return handler === null ? [] : [{ path, handler }];
  }));
  return routes.flat();
}

/** Returns the handler of a route's module; null when it has no endpoints. */
export function readPathHandler(module: unknown): PathHandler<unknown> | null {
  const isRoute = typeof module === "object" && module !== null && "handler" in module;
  return isRoute && hasEndpoints(module.handler) ? module.handler : null;
}

function hasEndpoints(handler: unknown): handler is PathHandler<unknown> {
  return typeof handler === "function" && "byMethod" in handler && typeof handler.byMethod === "object" &&
    Object.values(handler.byMethod ?? {}).some((method) => isApiEndpoint(method) || isEndpoint(method));
}
