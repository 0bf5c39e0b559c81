import { type ComponentChildren, Fragment, h, type JSX } from "preact";
import { type IslandMarker, readIsland } from "./markers.ts";

/** Sources of the nodes of slots and of the components of nested islands. */
export interface SlotSource {
  nodesOf(id: number): Node[];
  elementOf(marker: IslandMarker): JSX.Element | null;
  /** Elements made from slots; their nodes are read once, before Preact changes them. */
  vnodes: Map<number, JSX.Element>;
}

/** Shows the HTML that the server made for a slot, as elements that Preact can take over. */
export function SlotContent({ id, source }: { id: number; source: SlotSource }): JSX.Element {
  const known = source.vnodes.get(id);
  if (known !== undefined) return known;
  const vnode = h(Fragment, null, childrenFrom(source.nodesOf(id), source));
  source.vnodes.set(id, vnode);
  return vnode;
}

function childrenFrom(nodes: Node[], source: SlotSource): ComponentChildren[] {
  const children: ComponentChildren[] = [];
  for (let i = 0; i < nodes.length; i++) {
    const node = nodes[i];
    if (node instanceof Element) children.push(elementFrom(node, source));
    else if (node instanceof Text) children.push(node.data);
    const island = node === undefined ? null : readIsland(node);
    if (island === null) continue;
    children.push(source.elementOf(island));
    i = nodes.indexOf(island.end);
  }
  return children;
}

function elementFrom(element: Element, source: SlotSource): JSX.Element {
  const props: Record<string, unknown> = {};
  for (const { name, value } of element.attributes) {
    if (name !== "nonce") props[name] = propertyOf(element, name, value);
  }
  return h(element.localName, props, ...childrenFrom([...element.childNodes], source));
}

/** A flag or a field's value as it is now, for the reader may have changed it; else the attribute. */
function propertyOf(element: Element, name: string, attribute: string): unknown {
  const property: unknown = Reflect.get(element, name);
  const isFlag = typeof property === "boolean";
  const isFieldValue = name === "value" && typeof property === "string";
  return isFlag || isFieldValue ? property : attribute;
}
