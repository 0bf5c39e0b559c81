import type { Context } from "../context.ts";
import type { PageProps, RouteComponent } from "../types.ts";

/** The components around a page: the app wrapper and the layouts, outermost first. */
export interface Wrappers<State> {
  readonly app: RouteComponent<State> | null;
  readonly layouts: readonly RouteComponent<State>[];
}

/** The props of a component of this request; `Component` is what the component wraps. */
export function pageProps<State>(
  { params, req, route, state, url }: Context<State>,
  Component: PageProps["Component"],
  data: unknown,
): PageProps<unknown, State> {
  return { Component, data, params, req, route, state, url };
}
