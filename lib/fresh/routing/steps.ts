import { STATUS_CODES } from "node:http";
import { h } from "preact";
import { Context, type Step } from "../context.ts";
import { pageProps, renderPage, type Wrappers } from "../render/render_page.ts";
import { HttpError } from "../runtime/http_error.ts";
import type { Middleware, Route } from "../types.ts";

/** Creates a step; elements that it renders get the wrappers. */
export function createStep<State>(run: Middleware<State>, wrappers: Wrappers<State>): Step<State> {
  return {
    run,
    render: (ctx, vnode, init) =>
      renderPage(ctx, { vnode, init, wrappers, buildCache: Context.buildCacheOf(ctx) }),
  };
}

/** The end of the chain of a path that no route has. */
export function throwNotFound(): never {
  throw new HttpError(404);
}

/** A middleware that turns what is thrown below it into the error page. */
export function errorBoundary<State>(errorRoute: Route<State>): Middleware<State> {
  return async (ctx) => {
    try {
      return await ctx.next();
    } catch (error) {
      return await answerWith(ctx, errorRoute, error instanceof HttpError ? error.status : 500);
    }
  };
}

/**
 * Answers a request with a route: its handler's response, or its component with the handler's data; `status` is that of
 * a page whose handler sets none.
 */
export async function answerWith<State>(
  ctx: Context<State>,
  { handler, component }: Route<State>,
  status = 200,
): Promise<Response> {
  const result = handler === undefined ? { data: {} } : await handler(ctx);
  if (result instanceof Response) return result;
  if (result === null || result === undefined) {
    throw new TypeError(`A handler must return a Response or page data, but returned: ${result}`);
  }
  const vnode = component === undefined ? null : h(component, pageProps(ctx, () => null, result.data));
  return ctx.render(vnode, { status: result.status ?? status, headers: new Headers(result.headers) });
}

/** The plain response to an error that no error page took; what is the server's own fault goes to stderr. */
export function answerUncaught(error: unknown): Response {
  const status = error instanceof HttpError ? error.status : 500;
  if (status >= 500) Deno.stderr.writeSync(new TextEncoder().encode(`${Deno.inspect(error)}\n`));
  const message = error instanceof HttpError
    ? error.message || STATUS_CODES[status] || ""
    : "Internal server error";
  return new Response(message, { status });
}
