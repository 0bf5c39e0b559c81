import { type ComponentType, Fragment, h, type Options, options, type VNode } from "preact";
import { asset, currentRender } from "../runtime/asset.ts";
import { headElement, isHeadElement } from "./head_elements.ts";
import { islandBoundary } from "./islands.ts";
import type { RenderScope } from "./render_scope.ts";

/**
 * Installs Preact's hooks that see each element when it is created, and before it is rendered on the server. Preact
 * has one set of hooks for the whole process, so this is done on import; outside of a render they do nothing.
 */

type Props = Record<string, unknown>;

/** Preact's hooks, with the one called before an element is rendered, which has no public name. */
interface HookedOptions extends Options {
  __b?(vnode: VNode<Props>): void;
}

const hooks: HookedOptions = options;
const { vnode: hookBeforeCreate, __b: hookBeforeRender } = hooks;

hooks.vnode = (vnode) => {
  if (vnode.type === "a") {
    const scope = currentRender();
    if (scope !== null) markCurrentLink(vnode.props, scope.url);
  }
  hookBeforeCreate?.(vnode);
};

hooks.__b = (vnode) => {
  const scope = currentRender();
  if (scope !== null) prepare(vnode, scope);
  hookBeforeRender?.(vnode);
};

function prepare(vnode: VNode<Props>, scope: RenderScope): void {
  const { type } = vnode;
  if (typeof type === "string") {
    vnode.props = preparedProps(type, vnode.props, scope);
    if (isHeadElement(type) && !scope.isAsIs(vnode)) vnode.type = headElement(type, vnode, scope);
    return;
  }
  const island = scope.islandRegistry.get(type);
  if (island === undefined || scope.isAsIs(vnode)) return;
  vnode.type = islandBoundary(island, type as ComponentType<Props>, scope);
}

function preparedProps(
  type: string,
  props: VNode<Props>["props"],
  scope: RenderScope,
): VNode<Props>["props"] {
  switch (type) {
    case "html":
    case "body":
      scope.documentParts.add(type);
      return props;
    case "head":
      scope.documentParts.add(type);
      return { ...props, children: h(Fragment, null, props.children, h(RestOfHead, { scope })) };
    case "script":
    case "style":
      return props.nonce ? props : { ...props, nonce: scope.nonce };
    case "img":
      return typeof props.src === "string" ? { ...props, src: asset(props.src) } : props;
    default:
      return props;
  }
}

/** Renders the elements for the head that replaced none of its own, which are rendered before it. */
function RestOfHead({ scope }: { scope: RenderScope }) {
  return h(Fragment, null, scope.takeHead());
}

/**
 * Marks a link to the page itself, or to a path above it, unless its `aria-current` is set: `"page"` for the page,
 * `"true"` for a path above it or another query of the page. Only links that are paths are considered.
 */
function markCurrentLink(props: Props, url: URL): void {
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
