/** An island in the page: which component it is, which props it has, and the comments around it. */
export interface IslandMarker {
  name: string;
  index: number;
  start: Comment;
  end: Comment;
}

const ISLAND_START = /^frsh:island:([^:]+):(\d+):/;
const SLOT_START = /^frsh:slot:(\d+)$/;

/** The outermost islands below an element, in order; those inside slots belong to their island. */
export function findIslands(parent: Node): IslandMarker[] {
  const found: IslandMarker[] = [];
  for (const comment of comments(parent)) {
    const last = found.at(-1);
    const isInside = last !== undefined && isBefore(comment, last.end);
    const marker = isInside ? null : readIsland(comment);
    if (marker !== null) found.push(marker);
  }
  return found;
}

/** The island that a node starts, or null. */
export function readIsland(node: Node): IslandMarker | null {
  if (!(node instanceof Comment)) return null;
  const match = ISLAND_START.exec(node.data);
  const end = match === null ? null : findEnd(node, "frsh:island");
  if (match === null || end === null) return null;
  return { name: match[1] ?? "", index: Number(match[2]), start: node, end };
}

/** The nodes of every slot, by its id: between its comments, or in the template of one not shown yet. */
export function takeSlots(parent: HTMLElement): Map<number, Node[]> {
  const slots = new Map<number, Node[]>();
  for (const template of parent.querySelectorAll<HTMLTemplateElement>("template[id^=frsh-slot-]")) {
    slots.set(Number(template.id.slice("frsh-slot-".length)), [...template.content.childNodes]);
    collectSlots(template.content, slots);
    template.remove();
  }
  collectSlots(parent, slots);
  return slots;
}

function collectSlots(parent: Node, slots: Map<number, Node[]>): void {
  for (const comment of comments(parent)) {
    const id = SLOT_START.exec(comment.data)?.[1];
    const end = id === undefined ? null : findEnd(comment, "frsh:slot");
    if (end !== null && !slots.has(Number(id))) {
      slots.set(Number(id), nodesBetween(comment, end));
    }
  }
}

/** The siblings between two nodes. */
export function nodesBetween(start: Node, end: Node): Node[] {
  const nodes: Node[] = [];
  for (let node = start.nextSibling; node !== null && node !== end; node = node.nextSibling) nodes.push(node);
  return nodes;
}

function comments(parent: Node): Comment[] {
  const walker = document.createTreeWalker(parent, NodeFilter.SHOW_COMMENT);
  const found: Comment[] = [];
  while (walker.nextNode()) {
    if (walker.currentNode instanceof Comment) found.push(walker.currentNode);
  }
  return found;
}

/** The comment that closes the one given; the same kind may be nested in between. */
function findEnd(start: Comment, kind: string): Comment | null {
  let depth = 0;
  for (let node = start.nextSibling; node !== null; node = node.nextSibling) {
    if (!(node instanceof Comment)) continue;
    if (node.data.startsWith(`${kind}:`)) depth++;
    if (node.data === `/${kind}` && depth-- === 0) return node;
  }
  return null;
}

function isBefore(node: Node, other: Node): boolean {
  return (node.compareDocumentPosition(other) &
    Node.DOCUMENT_POSITION_FOLLOWING) !== 0;
}
