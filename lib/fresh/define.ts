import type { AnyComponent } from "preact";
import type { HandlerByMethod, HandlerFn, RouteHandler } from "./handlers.ts";
import type { PageProps } from "./render/wrappers.ts";
import type { Middleware } from "./types.ts";

/** Identity functions that give handlers, pages, layouts and middlewares their types. */
export interface Define<State> {
  /** Types a route's handlers. */
  handlers<
    Data,
    Handlers extends RouteHandler<Data, State> = RouteHandler<Data, State>,
  >(handlers: Handlers): typeof handlers;

  /** Types a page; `define.page<typeof handler>` takes the type of `props.data` from the handler. */
  page<
    Handler extends RouteHandler<unknown, State> = never,
    Data = Handler extends HandlerFn<infer Data, State> ? Data
      : Handler extends HandlerByMethod<infer Data, State> ? Data
      : never,
  >(render: AnyComponent<PageProps<Data, State>>): typeof render;

  /** Types a layout or the app wrapper. */
  layout(render: AnyComponent<PageProps<unknown, State>>): typeof render;

  /** Types a middleware or a list of them. */
  middleware<M extends Middleware<State> | Middleware<State>[]>(middleware: M): typeof middleware;
}

/** Gives the typed `define` functions for one kind of state. */
export function createDefine<State>(): Define<State> {
  return {
    handlers: (handlers) => handlers,
    page: (render) => render,
    layout: (render) => render,
    middleware: (middleware) => middleware,
  };
}
