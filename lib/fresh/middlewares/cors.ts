import type { Context } from "../context.ts";
import type { Middleware } from "../types.ts";

/** Which other sites may read the answers, and how. */
export interface CORSOptions<State = unknown> {
  origin:
    | string
    | string[]
    | ((origin: string, ctx: Context<State>) => string | undefined | null);
  allowMethods?: string[];
  allowHeaders?: string[];
  /** Seconds for which a preflight's answer may be kept. */
  maxAge?: number;
  credentials?: boolean;
  exposeHeaders?: string[];
}

const DEFAULT_METHODS = ["GET", "HEAD", "PUT", "POST", "DELETE", "PATCH"];

/** Sets the cross-origin headers and answers preflights; every origin is allowed by default. */
export function cors<State>(options: CORSOptions<State> = { origin: "*" }): Middleware<State> {
  return async (ctx) => {
    const origin = allowedOrigin(ctx, options.origin);
    if (ctx.req.method === "OPTIONS") {
      return preflight(ctx.req, origin, options);
    }
    const response = await ctx.next();
    setOriginHeaders(response.headers, origin, options);
    return response;
  };
}

function allowedOrigin<State>(ctx: Context<State>, allowed: CORSOptions<State>["origin"]): string | null {
  const origin = ctx.req.headers.get("origin") ?? "";
  if (allowed === "*") return "*";
  if (typeof allowed === "function") return allowed(origin, ctx) || null;
  return [allowed].flat().includes(origin) ? origin : null;
}

function setOriginHeaders<State>(headers: Headers, origin: string | null, options: CORSOptions<State>): void {
  if (origin) headers.set("Access-Control-Allow-Origin", origin);
  if (origin && origin !== "*") headers.append("Vary", "Origin");
  if (options.credentials) {
    headers.set("Access-Control-Allow-Credentials", "true");
  }
  if (options.exposeHeaders?.length) {
    headers.set("Access-Control-Expose-Headers", options.exposeHeaders.join(","));
  }
}

function preflight<State>(req: Request, origin: string | null, options: CORSOptions<State>): Response {
  const headers = new Headers();
  setOriginHeaders(headers, origin, options);
  if (options.maxAge !== undefined) {
    headers.set("Access-Control-Max-Age", String(options.maxAge));
  }
  const methods = options.allowMethods ?? DEFAULT_METHODS;
  if (methods.length > 0) {
    headers.set("Access-Control-Allow-Methods", methods.join(","));
  }
  const allowHeaders = options.allowHeaders?.length
    ? options.allowHeaders
    : req.headers.get("Access-Control-Request-Headers")?.split(",").map((name) => name.trim()) ?? [];
  if (allowHeaders.length > 0) {
    headers.set("Access-Control-Allow-Headers", allowHeaders.join(","));
    headers.append("Vary", "Access-Control-Request-Headers");
  }
  return new Response(null, { status: 204, statusText: "No Content", headers });
}
