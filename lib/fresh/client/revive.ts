import type { computed, signal } from "@preact/signals";
import {
  WIRE_INFINITY,
  WIRE_NAN,
  WIRE_NEGATIVE_INFINITY,
  WIRE_NEGATIVE_ZERO,
  WIRE_NULL,
  WIRE_UNDEFINED,
  type WireRow,
} from "../runtime/wire.ts";
import { type ComponentChildren, type ContainerNode, Fragment, h, type JSX } from "preact";

const SPECIAL_VALUES: ReadonlyMap<number, unknown> = new Map<number, unknown>([
  [WIRE_UNDEFINED, undefined],
  [WIRE_NULL, null],
  [WIRE_NAN, NaN],
  [WIRE_INFINITY, Infinity],
  [WIRE_NEGATIVE_INFINITY, -Infinity],
  [WIRE_NEGATIVE_ZERO, -0],
]);

type Part = string | number;
type Read = (reference: number) => unknown;

/** Makes signals, which only some pages pass to islands. */
interface SignalMaker {
  readonly signal: typeof signal;
  readonly computed: typeof computed;
}

/** Whether a serialized value has signals. */
export function hasSignals(text: string): boolean {
  return /\["(?:Signal|Computed)"/.test(text);
}

interface ReviveOptions {
  readonly slot: (id: number) => unknown;
  /** Null for a value without signals. */
  readonly signals: SignalMaker | null;
}

/** The value that the server serialized; equal references are one object again. */
export function revive(text: string, { slot, signals }: ReviveOptions): unknown {
  const [root, ...rows]: [number, ...WireRow[]] = JSON.parse(text);
  const values = new Map<number, unknown>(SPECIAL_VALUES);

  const read: Read = (reference) => {
    if (!values.has(reference)) {
      reviveRow(rows[reference], {
        ...{ read, slot, signals },
        keep: (value) => values.set(reference, value),
      });
    }
    return values.get(reference);
  };
  return read(root);
}

interface Reviving extends ReviveOptions {
  read: Read;
  /** Must be called before the parts are read, so that they may refer back to the whole. */
  keep: (value: unknown) => void;
}

function reviveRow(row: WireRow | undefined, reviving: Reviving): void {
  const { read, keep } = reviving;
  if (!(row instanceof Object)) return keep(row);
  if (!Array.isArray(row)) {
    const object = {};
    keep(object);
    for (const [key, reference] of Object.entries(row)) {
      defineValue(object, key, read(reference));
    }
    return;
  }
  const [type, ...parts] = row;
  if (typeof type === "string") return reviveTyped(type, parts, reviving);
  const list: unknown[] = [];
  keep(list);
  for (const reference of row) list.push(read(Number(reference)));
}

/** Sets a property even if it is named like one that objects inherit. */
function defineValue(object: object, key: string, value: unknown): void {
  Object.defineProperty(object, key, {
    value,
    configurable: true,
    enumerable: true,
    writable: true,
  });
}

function reviveTyped(type: string, parts: Part[], { read, slot, signals, keep }: Reviving): void {
  const [first = "", second = ""] = parts;
  switch (type) {
    case "Slot":
      return keep(slot(Number(first)));
    case "Map":
      return reviveMap(parts, read, keep);
    case "Set":
      return reviveSet(parts, read, keep);
    case "Signal": {
      const value = signals?.signal<unknown>(undefined);
      keep(value);
      if (value !== undefined) value.value = read(Number(first));
      return;
    }
    case "Computed":
      return keep(signals?.computed(() => read(Number(first))));
    case "Date":
      return keep(new Date(Number(read(Number(first)))));
    default:
      return keep(fromText(type, String(first), String(second)));
  }
}

function reviveMap(parts: Part[], read: Read, keep: (value: unknown) => void): void {
  const map = new Map<unknown, unknown>();
  keep(map);
  for (let i = 0; i < parts.length; i += 2) {
    map.set(read(Number(parts[i])), read(Number(parts[i + 1])));
  }
}

function reviveSet(parts: Part[], read: Read, keep: (value: unknown) => void): void {
  const set = new Set<unknown>();
  keep(set);
  for (const part of parts) set.add(read(Number(part)));
}

function fromText(type: string, text: string, flags: string): unknown {
  switch (type) {
    case "BigInt":
      return BigInt(text);
    case "URL":
      return new URL(text);
    case "RegExp":
      return new RegExp(text, flags);
    case "Uint8Array":
      return Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
    default:
      return temporalFrom(type, text);
  }
}

/** @throws TypeError in a browser without Temporal. */
function temporalFrom(type: string, text: string): unknown {
  return Reflect.get(Reflect.get(globalThis, "Temporal"), type.replace("Temporal.", "")).from(text);
}

/** A stretch of siblings that Preact renders into as if it were an element. */
interface RangeRoot extends ContainerNode {
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
function readIsland(node: Node): IslandMarker | null {
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
function nodesBetween(start: Node, end: Node): Node[] {
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
