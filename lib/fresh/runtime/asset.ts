import type { RenderScope } from "../render/render_scope.ts";

/** The query parameter that ties an asset's URL to one build. */
export const ASSET_CACHE_KEY = "__frsh_c";

/** The URL of a static file with the build's key, so that it may be cached for good; other URLs as they are. */
export function asset(path: string): string {
  return keyedAsset(path, buildId);
}

/** The URL of a static file with the key of a given build. */
export function keyedAsset(path: string, buildId: string): string {
  const isLocal = path.startsWith("/") && !path.startsWith("//");
  if (!isLocal || buildId === "" || path.includes(`${ASSET_CACHE_KEY}=`)) {
    return path;
  }
  const hashAt = path.indexOf("#");
  const url = hashAt === -1 ? path : path.slice(0, hashAt);
  const separator = url.includes("?") ? "&" : "?";
  return `${url}${separator}${ASSET_CACHE_KEY}=${buildId}${path.slice(url.length)}`;
}

/**
 * The only mutable variables of the package. Preact calls its hooks without saying for whom, so the render in
 * progress has to be found from the outside; a render is synchronous, so there is never more than one. `asset()`
 * is called without a context as well, so the build it belongs to is kept here.
 */

let render: RenderScope | null = null;
let buildId = "";

/** The render in progress, or null. */
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

/** Names the build that this process serves. */
export function setBuildId(id: string): void {
  buildId = id;
}
