import assert from "node:assert/strict";
import { isApiEndpoint } from "@/lib/api/openapi_chat.ts";
import { isEndpoint } from "@/lib/api/openapi_links.ts";
import { readPathHandler } from "@/lib/api/openapi.ts";
import { listRefusals, listRefusalStatuses } from "@/lib/api/access.ts";
import type { ServedRoute } from "@/lib/services/services.ts";

/** Codes that no operation declares: of a method without an operation, and of a fault of the server. */
const UNDECLARED = ["METHOD_NOT_ALLOWED", "INTERNAL"];

/** Fails if an operation answers a refusal that its specification does not declare. */
export type RefusalCheck = (request: Request, response: Response) => Promise<void>;

/** Creates the check of refusals by the operations of these routes. */
export function createRefusalCheck(routes: readonly ServedRoute[]): RefusalCheck {
  const patterns = routes.toSorted((one, other) => variables(one.path) - variables(other.path))
    .map((route) => ({ route, pattern: toPattern(route.path) }));
  return async (request, response) => {
    if (response.status < 400) return;
    const { pathname } = new URL(request.url);
    const path = pathname.length > 1 ? pathname.replace(/\/$/, "") : pathname;
    const route = patterns.find(({ pattern }) => pattern.test(path))?.route;
    if (route !== undefined) await requireDeclared(route, request, response);
  };
}

async function requireDeclared(route: ServedRoute, { method }: Request, response: Response): Promise<void> {
  const { status } = response;
  const handlers: Readonly<Record<string, unknown>> = readPathHandler(await route.load())?.byMethod ?? {};
  const handler = handlers[method];
  const name = `${method} ${route.path}`;
  if (isApiEndpoint(handler)) {
    const { code } = await response.clone().json();
    const declared = listRefusals(handler.apiSpec, method).get(status);
    const isKnown = UNDECLARED.includes(code) || declared?.includes(code) === true;
    assert.ok(isKnown, `${name} answers ${status} ${code}, which its specification does not declare`);
  } else if (isEndpoint(handler)) {
    const isKnown = status === 500 || listRefusalStatuses(handler.spec).includes(status);
    assert.ok(isKnown, `${name} answers ${status}, which its specification does not declare`);
  }
}

function variables(path: string): number {
  return path.split("{").length;
}

/** Returns the pattern of a route's path; the variables `path` and `fragment` stand for several segments. */
function toPattern(path: string): RegExp {
  const escaped = path.replaceAll(/[.*+?^$()|[\]\\]/g, "\\$&");
  const several = escaped.replaceAll(/\{(path|fragment)\}/g, ".+");
  return new RegExp(`^${several.replaceAll(/\{\w+\}/g, "[^/]+")}$`);
}
