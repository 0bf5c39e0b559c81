import { type ComponentType, type ContainerNode, h, render } from "preact";

type Props = Record<string, unknown>;

const ISLAND_START = /^frsh:island:([^:]+):(\d+):/;

/** Starts the islands of the page, with their props as the server wrote them. */
export function boot(components: Record<string, ComponentType<Props>>, data: string): void {
  const allProps: Props[] = JSON.parse(data);
  for (const start of listComments()) {
    const [, name = "", index] = ISLAND_START.exec(start.data) ?? [];
    const component = components[name];
    if (component === undefined) continue;
    try {
      render(h(component, allProps[Number(index)] ?? {}), rootAfter(start));
    } catch (error) {
      reportError(error);
    }
  }
}

/** The comments of the page, before an island changes any. */
function listComments(): Comment[] {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_COMMENT);
  const found: Comment[] = [];
  while (walker.nextNode()) {
    if (walker.currentNode instanceof Comment) found.push(walker.currentNode);
  }
  return found;
}

/** A stretch of siblings that Preact renders into as if it were an element. */
interface RangeRoot extends ContainerNode {
  readonly childNodes: Node[];
  /** Distinguishes HTML from SVG. */
  readonly namespaceURI: string | null;
}

/**
 * The siblings after the comment that starts an island, to the one that ends it, as a root for Preact, which cannot
 * render between comments itself. Preact takes over the nodes that fit its first render; those that do not fit stay
 * beside it.
 */
function rootAfter(start: Comment): RangeRoot {
  const end = findEnd(start);
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

/** The comment that ends an island, in which no other has comments. */
function findEnd(start: Comment): Node | null {
  let node = start.nextSibling;
  while (node !== null && !(node instanceof Comment && node.data === "/frsh:island")) node = node.nextSibling;
  return node;
}

function nodesBetween(start: Node, end: Node | null): Node[] {
  const nodes: Node[] = [];
  for (let node = start.nextSibling; node !== null && node !== end; node = node.nextSibling) nodes.push(node);
  return nodes;
}
