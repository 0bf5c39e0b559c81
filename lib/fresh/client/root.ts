import type { ContainerNode, VNode } from "preact";
import { nodesBetween } from "./markers.ts";

/** A stretch of siblings that Preact renders into as if it were an element. */
export interface RangeRoot extends ContainerNode {
  readonly childNodes: Node[];
  /** Distinguishes HTML from SVG. */
  readonly namespaceURI: string | null;
  /** Nodes that the server rendered there. */
  readonly original: readonly Node[];
  /** Preact's private note of the tree it rendered last. */
  __k?: RenderedVNode;
}

/** The private parts of a rendered element: its node and its children. */
interface RenderedVNode extends Pick<VNode, "type"> {
  __e: Node | null;
  __k: (RenderedVNode | null)[] | null;
}

/** The siblings between two comments as a root for Preact, which cannot render between comments itself. */
export function rootBetween(start: Comment, end: Comment): RangeRoot {
  const parent = start.parentElement ?? document.body;
  const insertBefore = (node: Node, child: Node | null) => parent.insertBefore(node, child ?? end);
  return {
    nodeType: Node.ELEMENT_NODE,
    parentNode: parent,
    namespaceURI: parent.namespaceURI,
    original: nodesBetween(start, end),
    get firstChild() {
      return start.nextSibling === end ? null : start.nextSibling;
    },
    get childNodes() {
      return nodesBetween(start, end);
    },
    contains: (other: Node | null) => nodesBetween(start, end).some((node) => node.contains(other)),
    insertBefore,
    appendChild: (node: Node) => insertBefore(node, null),
    removeChild: (node: Node) => parent.removeChild(node),
  };
}

/** Removes what the server rendered and the first render in the browser did not take over. */
export function removeLeftovers(root: RangeRoot): void {
  const used = new Set<Node>();
  collectNodes(root.__k ?? null, used);
  for (const node of root.original) {
    if (!used.has(node) && node.parentNode === root.parentNode) {
      root.removeChild(node);
    }
  }
}

function collectNodes(vnode: RenderedVNode | null, used: Set<Node>): void {
  if (vnode === null) return;
  if (typeof vnode.type !== "function" && vnode.__e !== null) {
    used.add(vnode.__e);
  } else vnode.__k?.forEach((child) => collectNodes(child, used));
}
