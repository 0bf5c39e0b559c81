import type { AnyComponent, FunctionComponent } from "preact";
import type { Context } from "./context.ts";

/** Data for a page's component, with the status and headers of the response. */
export interface PageResponse<T> {
  data: T;
  headers?: HeadersInit | undefined;
  status?: number | undefined;
}

/** Wraps the data a handler gives to its page's component; `null` reaches the component as `undefined`. */
export function page<T>(
  data: T,
  options?: { headers?: HeadersInit; status?: number },
): PageResponse<T> {
  return { data: data ?? undefined as T, headers: options?.headers, status: options?.status };
}

/** Answers every method of a route with a response, or with data for its component. */
export interface HandlerFn<Data, State> {
  (ctx: Context<State>): Response | PageResponse<Data> | Promise<Response | PageResponse<Data>>;
}

/** A step in the handling of a request: answers it, or passes it on with `ctx.next()`. */
export type Middleware<State> = (ctx: Context<State>) => Response | Promise<Response>;

/** The props of pages, layouts and the app wrapper. */
export type PageProps<Data = unknown, State = unknown> =
  & Pick<Context<State>, "url" | "req" | "params" | "route" | "state">
  & { data: Data; Component: FunctionComponent };

/** A page, layout or app wrapper. */
export type RouteComponent<State> = AnyComponent<PageProps<unknown, State>>;

/** A page: its handler and its component. */
export interface Route<State> {
  handler?: HandlerFn<unknown, State> | undefined;
  component?: RouteComponent<State> | undefined;
}

/** Identity functions that give pages, layouts and middlewares their types. */
export interface Define<State> {
  /** Types a page; `define.page<typeof handler>` takes the type of `props.data` from the handler. */
  page<
    Handler extends HandlerFn<unknown, State> = never,
    Data = Handler extends HandlerFn<infer Data, State> ? Data : never,
  >(render: AnyComponent<PageProps<Data, State>>): typeof render;

  /** Types a layout or the app wrapper. */
  layout(render: AnyComponent<PageProps<unknown, State>>): typeof render;

  /** Types a middleware or a list of them. */
  middleware<M extends Middleware<State> | Middleware<State>[]>(middleware: M): typeof middleware;
}

/** Gives the typed `define` functions for one kind of state. */
export function createDefine<State>(): Define<State> {
  return {
    page: (render) => render,
    layout: (render) => render,
    middleware: (middleware) => middleware,
  };
}
