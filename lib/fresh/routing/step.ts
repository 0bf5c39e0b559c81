import { Context, type ContextStep } from "../context.ts";
import { renderPage } from "../render/render_page.ts";
import { withoutSkipped, type Wrappers } from "../render/wrappers.ts";
import type { MaybeLazyMiddleware } from "../types.ts";

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
