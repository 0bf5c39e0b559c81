type Props = Record<string, unknown>;

/**
 * Marks a link to the page itself, or to a path above it, unless its `aria-current` is set: `"page"` for the page,
 * `"true"` for a path above it or another query of the page. Only links that are paths are considered.
 */
export function markCurrentLink(props: Props, url: URL): void {
  const { href } = props;
  if (typeof href !== "string" || !href.startsWith("/") || props["aria-current"] !== undefined) return;
  const target = new URL(href, "http://localhost");
  const [path, targetPath] = [withoutSlash(url.pathname), withoutSlash(target.pathname)];
  const hasOtherQuery = target.search !== "" && target.search !== url.search;
  if (path === targetPath && !hasOtherQuery) {
    Object.assign(props, { "data-current": "true", "aria-current": "page" });
  } else if (path === targetPath || targetPath === "/" || path.startsWith(`${targetPath}/`)) {
    Object.assign(props, { "data-ancestor": "true", "aria-current": "true" });
  }
}

function withoutSlash(path: string): string {
  return path !== "/" && path.endsWith("/") ? path.slice(0, -1) : path;
}
