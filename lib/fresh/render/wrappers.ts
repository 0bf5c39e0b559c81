import type { LayoutConfig } from "../layout_config.ts";
import type { RouteComponent } from "./components.ts";

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
