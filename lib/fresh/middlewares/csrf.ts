import type { Context } from "../context.ts";
import { HttpError } from "../runtime/http_error.ts";
import type { Middleware } from "../types.ts";

/** Which origins besides the site's own may send unsafe requests. */
export interface CsrfOptions<State = unknown> {
  origin?:
    | string
    | string[]
    | ((origin: string, context: Context<State>) => boolean);
}

const SAFE_METHODS: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"]);

/** Refuses unsafe requests that a browser sends from another site, with 403. */
export function csrf<State>(options: CsrfOptions<State> = {}): Middleware<State> {
  return (ctx) => {
    if (!isAllowed(ctx, options)) throw new HttpError(403);
    return ctx.next();
  };
}

function isAllowed<State>(ctx: Context<State>, options: CsrfOptions<State>): boolean {
  const { method, headers } = ctx.req;
  if (SAFE_METHODS.has(method)) return true;
  const site = headers.get("Sec-Fetch-Site");
  if (site === "same-origin" || site === "none") return true;
  const origin = headers.get("origin");
  if (origin === null) return site === null;
  return isAllowedOrigin(ctx, origin, options.origin);
}

function isAllowedOrigin<State>(
  ctx: Context<State>,
  origin: string,
  allowed: CsrfOptions<State>["origin"],
): boolean {
  if (allowed === undefined) return origin === ctx.url.origin;
  if (typeof allowed === "function") return allowed(origin, ctx);
  return [allowed].flat().includes(origin);
}
