import type { ContainerNode } from "preact";
import { nodesBetween } from "./markers.ts";

/** A stretch of siblings that Preact renders into as if it were an element. */
export interface RangeRoot extends ContainerNode {
  readonly childNodes: Node[];
  /** Distinguishes HTML from SVG. */
  readonly namespaceURI: string | null;
}

/**
 * The siblings between two comments as a root for Preact, which cannot render between comments itself. Preact takes
 * over the nodes that fit its first render; those that do not fit stay beside it.
 */
export function rootBetween(start: Comment, end: Comment): RangeRoot {
  const parent = start.parentElement ?? document.body;
  const insertBefore = (node: Node, child: Node | null) => parent.insertBefore(node, child ?? end);
  return {
    nodeType: Node.ELEMENT_NODE,
    parentNode: parent,
    namespaceURI: parent.namespaceURI,
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
