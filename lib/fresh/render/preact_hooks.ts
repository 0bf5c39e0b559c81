import { type ComponentType, Fragment, h, type Options, options, type VNode } from "preact";
import { asset, currentRender } from "../runtime/asset.ts";
import { headElement, isHeadElement } from "./head_elements.ts";
import { islandBoundary } from "./islands.ts";
import type { RenderScope } from "./render_scope.ts";

/**
 * Installs Preact's hook that sees each element before it is rendered on the server. Preact has one set of hooks for
 * the whole process, so this is done on import; outside of a render it does nothing.
 */

type Props = Record<string, unknown>;

/** Preact's hooks, with the one called before an element is rendered, which has no public name. */
interface HookedOptions extends Options {
  __b?(vnode: VNode<Props>): void;
}

const hooks: HookedOptions = options;
const { __b: hookBeforeRender } = hooks;

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
