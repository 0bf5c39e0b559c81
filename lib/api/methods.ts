import type { Context, PageResponse } from "fresh";
import { AppError } from "@/lib/core/errors.ts";
import { prefersPage } from "./accept.ts";
import { isForm } from "./body.ts";
import type { Endpoint } from "./endpoint.ts";
import type { State } from "../services/services.ts";
import type { FieldAlias } from "@/lib/config.ts";

/** Handler of one method of a path: an endpoint, or a function that returns a page or a response. */
type MethodHandler<Data> = (ctx: Context<State>) => Promise<Response | PageResponse<Data>>;

/** Methods that a path can declare; HEAD and OPTIONS follow from them. */
type MethodName = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** Handler of a path that exposes its methods and the specifications of its endpoints. */
export interface PathHandler<Data> {
  (ctx: Context<State>): Promise<Response | PageResponse<Data>>;
  readonly byMethod: Readonly<Partial<Record<MethodName, MethodHandler<Data> | Endpoint>>>;
  /** Whether the path exists for older clients only. */
  readonly isOldName: boolean;
}

const PREFLIGHT_SECONDS = 86_400;

/**
 * Creates the handler of all methods of a path: GET also answers HEAD, OPTIONS is answered with 204 and the
 * allowed methods (with CORS headers where an endpoint is open to other origins), and any other method is
 * refused. `isOldName` marks a path that exists for older clients only.
 */
export function methods<Data = never>(
  byMethod: Partial<Record<MethodName, MethodHandler<Data> | Endpoint>>,
  { isOldName = false }: { isOldName?: boolean } = {},
): PathHandler<Data> {
  const handlers = new Map<string, MethodHandler<Data> | Endpoint>(Object.entries(byMethod));
  const { GET } = byMethod;
  if (GET !== undefined) handlers.set("HEAD", GET);
  const allow = [...handlers.keys(), "OPTIONS"].sort();
  const isOpen = Object.values(byMethod).some((handler) => "spec" in handler && handler.spec.isOpenToOrigins);
  const handle = (ctx: Context<State>) => {
    ctx.state.isOpenToOrigins = isOpen;
    const handler = handlers.get(ctx.req.method);
    if (handler !== undefined) return handler(ctx);
    if (ctx.req.method === "OPTIONS") return Promise.resolve(toOptions(allow, isOpen));
    return Promise.reject(
      new AppError("METHOD_NOT_ALLOWED", `This path supports ${allow.join(", ")}.`, { allow }),
    );
  };
  return Object.assign(handle, { byMethod, isOldName });
}

function toOptions(allow: readonly string[], isOpen: boolean): Response {
  const response = new Response(null, { status: 204 });
  const { headers } = response;
  headers.set("allow", allow.join(", "));
  if (isOpen) {
    headers.set("access-control-allow-origin", "*");
    headers.set("access-control-allow-methods", allow.join(", "));
    headers.set("access-control-allow-headers", "authorization, content-type");
    headers.set("access-control-max-age", String(PREFLIGHT_SECONDS));
  }
  return response;
}

/** Wraps an endpoint that also takes the form of a page without JavaScript: browser forms go to `form`. */
export function alsoForm<Data>(
  endpoint: Endpoint,
  form: MethodHandler<Data>,
): MethodHandler<Data> & Pick<Endpoint, "spec"> {
  const handle: MethodHandler<Data> = (ctx) => {
    const isPageForm = isForm(ctx.req) && prefersPage(ctx.req.headers.get("accept"));
    return isPageForm ? form(ctx) : endpoint(ctx);
  };
  return Object.assign(handle, { spec: endpoint.spec });
}

/**
 * Returns the fields of a response together with their aliases, which have the value of the field or one of their
 * own. An alias never replaces a field.
 */
export function withAliases(fields: object, aliases: Readonly<Record<string, FieldAlias>>): object {
  const named = new Map<string, unknown>(Object.entries(fields));
  const others = Object.entries(aliases).filter(([field]) => named.has(field))
    .map(([field, alias]) =>
      typeof alias === "string" ? [alias, named.get(field)] as const : [alias.name, alias.value] as const
    )
    .filter(([name]) => !named.has(name));
  return { ...fields, ...Object.fromEntries(others) };
}
