/**
 * The only mutable variables of the package. Preact calls its hooks without saying for whom, so the render in
 * progress has to be found from the outside; a render is synchronous, so there is never more than one. `asset()`
 * is called without a context as well, so the build it belongs to is kept here.
 */
import type { RenderScope } from "../render/render_scope.ts";

declare const FRESH_BUILD_ID: string;

let render: RenderScope | null = null;
let buildId = typeof FRESH_BUILD_ID === "string" ? FRESH_BUILD_ID : "";

/** The render in progress, or null; always null in the browser. */
export function currentRender(): RenderScope | null {
  return render;
}

/** Runs a synchronous function as the render of a scope. */
export function runRender<T>(scope: RenderScope, work: () => T): T {
  const outer = render;
  render = scope;
  try {
    return work();
  } finally {
    render = outer;
  }
}

/** The build whose assets `asset()` points to, or "" when there is none. */
export function currentBuildId(): string {
  return buildId;
}

/** Names the build that this process serves. */
export function setBuildId(id: string): void {
  buildId = id;
}
