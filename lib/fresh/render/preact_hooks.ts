/**
 * Installs Preact's hook that sees each element before it is rendered on the server. Preact has one set of hooks
 * for the whole process, so this is done on import; outside of a render the hook does nothing.
 */
import {
  type ComponentType,
  Fragment,
  h,
  isValidElement,
  type Options,
  options,
  toChildArray,
  type VNode,
} from "preact";
import { asset, assetSrcSet } from "../runtime/asset.ts";
import { currentRender } from "../runtime/current_render.ts";
import { islandBoundary } from "./islands.ts";
import type { RenderScope } from "./render_scope.ts";

type Props = Record<string, unknown>;

/** Preact's hooks, with the one called before an element is rendered, which has no public name. */
interface HookedOptions extends Options {
  __b?(vnode: VNode<Props>): void;
}

const hooks: HookedOptions = options;
const previousHook = hooks.__b;

hooks.__b = (vnode) => {
  const scope = currentRender();
  if (scope !== null) prepare(vnode, scope);
  previousHook?.(vnode);
};

function prepare(vnode: VNode<Props>, scope: RenderScope): void {
  if (typeof vnode.type === "string") {
    vnode.props = preparedProps(vnode.type, vnode.props, scope);
    return;
  }
  const island = scope.islandRegistry.get(vnode.type);
  if (island === undefined || scope.isWithoutBoundary(vnode)) return;
  vnode.type = islandBoundary(island, vnode.type as ComponentType<Props>, scope);
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
      return {
        ...props,
        children: h(Fragment, null, headChildren(props, scope)),
      };
    case "script":
    case "style":
      return props.nonce ? props : { ...props, nonce: scope.nonce };
    case "img":
    case "source":
      return withAssetKeys(props);
    default:
      return props;
  }
}

function headChildren({ children }: VNode<Props>["props"], scope: RenderScope) {
  const own = toChildArray(children).map((child) =>
    isValidElement(child) ? scope.takeReplacement(child) : child
  );
  return [...own, ...scope.takeHead()];
}

function withAssetKeys(props: VNode<Props>["props"]): VNode<Props>["props"] {
  const keyed = { ...props };
  if (typeof props.src === "string") keyed.src = asset(props.src);
  const srcSet = props.srcSet ?? props.srcset;
  if (typeof srcSet === "string") {
    keyed[props.srcSet === undefined ? "srcset" : "srcSet"] = assetSrcSet(srcSet);
  }
  return keyed;
}
