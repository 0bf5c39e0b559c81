import type { JSX } from "preact";
import type { Context } from "../context.ts";
import type { HandlerFn, Method, PageResponse } from "../handlers.ts";
import { callComponent, pageProps } from "../render/components.ts";
import { HttpError } from "../runtime/http_error.ts";
import type { Middleware, Route } from "../types.ts";

interface AnswerOptions {
  /** The status of a page whose handler sets none. */
  status: number;
  /** Answers when the route has no handler for the request's method. */
  otherwise: () => Promise<Response>;
}

/** Answers a request with a route: its handler's response, or its component with the handler's data. */
export async function answerWith<State>(
  ctx: Context<State>,
  route: Route<State>,
  { status, otherwise }: AnswerOptions,
): Promise<Response> {
  const handler = handlerFor(route, ctx.req.method.toUpperCase());
  if (handler === null) return await otherwise();
  const result = await handler(ctx);
  if (result instanceof Response) return result;
  if (result === null || result === undefined) {
    throw new TypeError(`A handler must return a Response or page data, but returned: ${result}`);
  }
  const vnode = await pageElement(ctx, route, result.data);
  if (vnode instanceof Response) return vnode;
  const init: ResponseInit = {
    status: result.status ?? status,
    headers: new Headers(result.headers),
  };
  return ctx.render(vnode, init, route.config);
}

function pageElement<State>(
  ctx: Context<State>,
  route: Route<State>,
  data: unknown,
): JSX.Element | null | Promise<JSX.Element | Response | null> {
  if (route.component === undefined) return null;
  return callComponent(route.component, pageProps(ctx, data, () => null));
}

function handlerFor<State>(route: Route<State>, method: string): HandlerFn<unknown, State> | null {
  const { handler, component } = route;
  if (typeof handler === "function") return handler;
  if (handler === undefined) return component === undefined ? null : emptyPage;
  const own = handler[method as Method] ??
    (method === "HEAD" ? handler.GET : undefined);
  if (own !== undefined) return own;
  const showsPage = component !== undefined &&
    (method === "GET" || method === "HEAD");
  return showsPage ? emptyPage : null;
}

function emptyPage(): PageResponse<unknown> {
  return { data: {} };
}

/** The pages a boundary answers errors with. */
interface BoundaryPages<State> {
  errorRoute: Route<State> | null;
  notFound: Route<State> | null;
}

/** A middleware that turns what is thrown below it into the not-found or the error page. */
export function errorBoundary<State>({ errorRoute, notFound }: BoundaryPages<State>): Middleware<State> {
  return async (ctx) => {
    try {
      return await ctx.next();
    } catch (error) {
      const otherwise = () => Promise.reject(error);
      const status = error instanceof HttpError ? error.status : 500;
      if (notFound !== null && status === 404) {
        return await answerWith(ctx, notFound, { status: 200, otherwise });
      }
      if (errorRoute !== null) {
        return await answerWith(ctx, errorRoute, { status, otherwise });
      }
      throw error;
    }
  };
}
