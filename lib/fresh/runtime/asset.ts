import { currentBuildId } from "./current_render.ts";

/** The query parameter that ties an asset's URL to one build. */
export const ASSET_CACHE_KEY = "__frsh_c";

/** True in the browser, false on the server. */
export const IS_BROWSER: boolean = typeof document !== "undefined";

/** The URL of a static file with the build's key, so that it may be cached for good; other URLs as they are. */
export function asset(path: string): string {
  return keyedAsset(path, currentBuildId());
}

/** Applies `asset()` to each URL of a `srcset` attribute. */
export function assetSrcSet(srcset: string): string {
  if (srcset.includes("(")) return srcset;
  return srcset.split(",").map((candidate) => {
    const [, space = "", url = "", descriptor = ""] = /^(\s*)(\S*)(.*)$/s.exec(candidate) ?? [];
    return space + asset(url) + descriptor;
  }).join(",");
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
