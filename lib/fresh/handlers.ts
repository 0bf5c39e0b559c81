import type { Context } from "./context.ts";

/** The HTTP methods a route can name. */
export type Method =
  | "HEAD"
  | "GET"
  | "POST"
  | "PATCH"
  | "PUT"
  | "DELETE"
  | "OPTIONS";

/** Data for a page's component, with the status and headers of the answer. */
export interface PageResponse<T> {
  data: T;
  headers?: HeadersInit | undefined;
  status?: number | undefined;
}

/** Options of `page()` besides the data. */
interface PageOptions {
  headers?: HeadersInit;
  status?: number;
}

/** Wraps the data a handler gives to its page's component; `null` reaches the component as `undefined`. */
export function page<T>(data: T, options?: PageOptions): PageResponse<T>;
export function page(): PageResponse<undefined>;
export function page<T>(data?: T, options?: PageOptions): PageResponse<T | undefined> {
  return { data: data ?? undefined, headers: options?.headers, status: options?.status };
}

/** Answers every method of a route with a response, or with data for its component. */
export interface HandlerFn<Data, State> {
  (ctx: Context<State>): Response | PageResponse<Data> | Promise<Response | PageResponse<Data>>;
}

/** One handler for each method a route answers. */
export type HandlerByMethod<Data, State> = {
  [M in Method]?: HandlerFn<Data, State>;
};

/** A route's handler: one function for all methods, or one for each. */
export type RouteHandler<Data, State> =
  | HandlerFn<Data, State>
  | HandlerByMethod<Data, State>;

/** The data type a handler gives to its page. */
export type RouteData<Handler extends RouteHandler<unknown, unknown>> = Handler extends
  RouteHandler<infer Data, unknown> ? Data : never;
