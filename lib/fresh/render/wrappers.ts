import type { LayoutConfig } from "../config.ts";
import { type AnyComponent, h, type JSX } from "preact";
import type { Context } from "../context.ts";

/** The components around a page: the app wrapper and the layouts, outermost first. */
export interface Wrappers<State> {
  readonly app: RouteComponent<State> | null;
  readonly layouts: readonly RouteComponent<State>[];
}

/** The wrappers left when a route or layout asks to skip some. */
export function withoutSkipped<State>(
  wrappers: Wrappers<State>,
  config: LayoutConfig | undefined,
): Wrappers<State> {
  if (!config?.skipAppWrapper && !config?.skipInheritedLayouts) return wrappers;
  return {
    app: config.skipAppWrapper ? null : wrappers.app,
    layouts: config.skipInheritedLayouts ? [] : wrappers.layouts,
  };
}

/** The props of pages, layouts and the app wrapper. */
export type PageProps<Data = unknown, T = unknown> =
  & Pick<
    Context<T>,
    | "config"
    | "url"
    | "req"
    | "params"
    | "info"
    | "state"
    | "isPartial"
    | "Component"
    | "error"
    | "route"
  >
  & { data: Data };

/** A page, layout or app wrapper; it may be asynchronous, and may then answer with a response. */
export type RouteComponent<State> = AnyComponent<PageProps<unknown, State>>;

type AsyncRouteComponent<State> = (
  props: PageProps<unknown, State>,
) => Promise<JSX.Element | Response | null>;

/** Makes the element of a component, or what an asynchronous component resolves to. */
export function callComponent<State>(
  component: RouteComponent<State>,
  props: PageProps<unknown, State>,
): JSX.Element | Promise<JSX.Element | Response | null> {
  return isAsync(component) ? component(props) : h(component, props);
}

function isAsync<State>(component: unknown): component is AsyncRouteComponent<State> {
  return typeof component === "function" &&
    component.constructor.name === "AsyncFunction";
}

/** The props of a component of this request; `Component` is what the component wraps. */
export function pageProps<State>(
  ctx: Context<State>,
  data: unknown,
  Component: PageProps["Component"],
): PageProps<unknown, State> {
  return {
    Component,
    config: ctx.config,
    data,
    error: ctx.error,
    info: ctx.info,
    isPartial: ctx.isPartial,
    params: ctx.params,
    req: ctx.req,
    route: ctx.route,
    state: ctx.state,
    url: ctx.url,
  };
}
