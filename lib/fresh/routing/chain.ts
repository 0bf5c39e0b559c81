import { HttpError } from "../runtime/http_error.ts";
import {
  callComponent,
  pageProps,
  type RouteComponent,
  withoutSkipped,
  type Wrappers,
} from "../render/wrappers.ts";
import type { Lazy, MaybeLazyMiddleware, Middleware, Route } from "../types.ts";
import type { LayoutConfig } from "../config.ts";
import { Context, type ContextStep } from "../context.ts";
import { renderPage } from "../render/render_page.ts";
import { STATUS_CODES } from "node:http";
import type { JSX } from "preact";
import type { HandlerFn, Method, PageResponse } from "../handlers.ts";

/** End of a chain: middlewares, or a route that may have to be loaded first. */
export type ChainEnd<State> =
  | { middlewares: readonly MaybeLazyMiddleware<State>[] }
  | { route: Route<State> | Lazy<Route<State>> };

/** All steps a request of one route passes, put together when the first such request comes. */
export class Chain<State> {
  readonly #path: SegmentPath<State>;
  readonly #end: ChainEnd<State>;
  /** The steps, once they are known. */
  steps: readonly Step<State>[] | null = null;

  constructor(path: SegmentPath<State>, end: ChainEnd<State>) {
    this.#path = path;
    this.#end = end;
  }

  /** Loads a lazy route and puts the steps together; a failure to load is thrown by the last step. */
  async prepare(notFound: Route<State> | null): Promise<readonly Step<State>[]> {
    const { steps, wrappers } = pathSteps(this.#path, notFound);
    try {
      const endSteps = await this.#endSteps(wrappers);
      this.steps = [...steps, ...endSteps, createStep(throwNotFound, wrappers)];
      return this.steps;
    } catch (error) {
      return [...steps, createStep(() => Promise.reject(error), wrappers)];
    }
  }

  async #endSteps(inherited: Wrappers<State>): Promise<Step<State>[]> {
    if ("middlewares" in this.#end) {
      return this.#end.middlewares.map((run) => createStep(run, inherited));
    }
    const source = this.#end.route;
    const route = typeof source === "function" ? await source() : source;
    const wrappers = withoutSkipped(inherited, route.config);
    const run: Middleware<State> = (ctx) => answerWith(ctx, route, { status: 200, otherwise: ctx.next });
    return [createStep(run, wrappers)];
  }
}

/** The end of every chain: nothing answered. */
export function throwNotFound(): never {
  throw new HttpError(404);
}

/** A step of a route's chain. */
export type Step<State> = ContextStep<State>;

/** Creates a step; elements that it renders get the wrappers. */
export function createStep<State>(run: MaybeLazyMiddleware<State>, wrappers: Wrappers<State>): Step<State> {
  return {
    run,
    render: (ctx, { vnode, init, config }) =>
      renderPage(ctx, {
        vnode,
        init,
        wrappers: withoutSkipped(wrappers, config),
        buildCache: Context.buildCacheOf(ctx),
      }),
  };
}

/** The plain answer to an error that no error page took; what is the server's own fault goes to stderr. */
export function answerUncaught(error: unknown): Response {
  const status = error instanceof HttpError ? error.status : 500;
  if (status >= 500) writeToStderr(error);
  const message = error instanceof HttpError
    ? error.message || STATUS_CODES[status] || ""
    : "Internal server error";
  return new Response(message, { status });
}

function writeToStderr(error: unknown): void {
  Deno.stderr.writeSync(new TextEncoder().encode(`${Deno.inspect(error)}\n`));
}

interface AnswerOptions {
  /** The status of a page whose handler sets none. */
  status: number;
  /** Answers when the route has no handler for the request's method. */
  otherwise: () => Promise<Response>;
}

/** Answers a request with a route: its handler's response, or its component with the handler's data. */
async function answerWith<State>(
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
function errorBoundary<State>({ errorRoute, notFound }: BoundaryPages<State>): Middleware<State> {
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

interface SegmentContents<State> {
  readonly middlewares: readonly MaybeLazyMiddleware<State>[];
  readonly layout: {
    component: RouteComponent<State>;
    config: LayoutConfig | undefined;
  } | null;
  readonly errorRoute: Route<State> | null;
  readonly app: RouteComponent<State> | null;
}

/** Contents of the segments from the root to a route at its registration. */
type SegmentPath<State> = readonly SegmentContents<State>[];

/** One part of the path tree, with the middlewares, layout and error page set for it. */
export class Segment<State> {
  readonly #parent: Segment<State> | null;
  readonly #children = new Map<string, Segment<State>>();
  #contents: SegmentContents<State> = {
    middlewares: [],
    layout: null,
    errorRoute: null,
    app: null,
  };

  constructor(parent: Segment<State> | null = null) {
    this.#parent = parent;
  }

  /** The segment of a path below this one, made if it is new. */
  at(path: string): Segment<State> {
    const folders = path.replace(/\/?\*$/, "").split("/");
    return folders.reduce<Segment<State>>((segment, part) => segment.#child(part), this);
  }

  #child(part: string): Segment<State> {
    if (part === "") return this;
    const child = this.#children.get(part) ?? new Segment(this);
    this.#children.set(part, child);
    return child;
  }

  /** Adds to the segment; routes registered earlier do not see it. */
  set(change: Partial<SegmentContents<State>>): void {
    this.#contents = { ...this.#contents, ...change };
  }

  /** Appends middlewares; routes registered earlier do not see them. */
  use(middlewares: readonly MaybeLazyMiddleware<State>[]): void {
    this.set({ middlewares: [...this.#contents.middlewares, ...middlewares] });
  }

  /** The contents of all segments from the root to this one, as they are now. */
  path(): SegmentPath<State> {
    const above = this.#parent?.path() ?? [];
    return [...above, this.#contents];
  }
}

/** The steps of a path's middlewares and error pages, and the wrappers of what comes after them. */
export function pathSteps<State>(
  path: SegmentPath<State>,
  notFound: Route<State> | null,
): { steps: Step<State>[]; wrappers: Wrappers<State> } {
  const steps: Step<State>[] = [];
  let wrappers: Wrappers<State> = { app: null, layouts: [] };
  for (const contents of path) {
    wrappers = segmentWrappers(wrappers, contents);
    if (contents.errorRoute !== null || notFound !== null) {
      steps.push(createStep(errorBoundary({ errorRoute: contents.errorRoute, notFound }), wrappers));
    }
    for (const run of contents.middlewares) steps.push(createStep(run, wrappers));
  }
  return { steps, wrappers };
}

function segmentWrappers<State>(
  inherited: Wrappers<State>,
  { app, layout }: SegmentContents<State>,
): Wrappers<State> {
  const withApp = app === null ? inherited : { ...inherited, app };
  if (layout === null) return withApp;
  const base = withoutSkipped(withApp, layout.config);
  return { app: base.app, layouts: [...base.layouts, layout.component] };
}
