import type { ComponentChildren, JSX } from "preact";
import type { Island, IslandRegistry } from "./island.ts";

/** Result of one render: the islands on the page, their props and slots, and elements for the head. */
export class RenderScope {
  readonly islandRegistry: IslandRegistry;
  readonly nonce: string;
  /** The document's parts that the page or app wrapper rendered itself. */
  readonly documentParts = new Set<"html" | "head" | "body">();
  readonly islands = new Set<Island>();
  readonly islandProps: Record<string, unknown>[] = [];
  readonly #slots: { content: ComponentChildren; rendered: boolean }[] = [];
  readonly #head = new Map<string, JSX.Element>();
  readonly #plain = new WeakSet<JSX.Element>();

  constructor(islandRegistry: IslandRegistry) {
    this.islandRegistry = islandRegistry;
    this.nonce = crypto.randomUUID().replaceAll("-", "");
  }

  /** Keeps an island's props and gives their index. */
  addIsland(island: Island, props: Record<string, unknown>): number {
    this.islands.add(island);
    return this.islandProps.push(props) - 1;
  }

  /** Keeps JSX given to an island and gives its id. */
  addSlot(content: ComponentChildren): number {
    return this.#slots.push({ content, rendered: false }) - 1;
  }

  /** The JSX of a slot, which counts as rendered from now on. */
  takeSlot(id: number): ComponentChildren {
    const slot = this.#slots[id];
    if (slot === undefined) return null;
    slot.rendered = true;
    return slot.content;
  }

  /** The id of a slot that its island has not rendered, or -1. */
  unrenderedSlot(): number {
    return this.#slots.findIndex((slot) => !slot.rendered);
  }

  /** Marks an element whose component must be rendered as it is, though it is an island. */
  withoutBoundary(vnode: JSX.Element): JSX.Element {
    this.#plain.add(vnode);
    return vnode;
  }

  isWithoutBoundary(vnode: JSX.Element): boolean {
    return this.#plain.has(vnode);
  }

  /** Keeps an element for the head; a later one of the same key replaces it. */
  addToHead(vnode: JSX.Element): void {
    this.#head.set(headKey(vnode), vnode);
  }

  /** The element to show in place of one that the head holds already. */
  takeReplacement(vnode: JSX.Element): JSX.Element {
    const key = headKey(vnode);
    const replacement = this.#head.get(key) ?? vnode;
    this.#head.delete(key);
    return replacement;
  }

  /** The elements for the head that replaced nothing. */
  takeHead(): JSX.Element[] {
    const rest = [...this.#head.values()];
    this.#head.clear();
    return rest;
  }
}

/** Equal for elements that mean the same: titles, equal keys, or equal attributes but for a meta's content. */
function headKey({ type, key, props }: JSX.Element): string {
  if (key !== null && key !== undefined) return `key:${key}`;
  if (type === "title") return "title";
  const ignored = new Set(["children", "nonce", type === "meta" ? "content" : ""]);
  const attributes = Object.entries(props).filter(([name]) => !ignored.has(name)).sort();
  return `${type}:${JSON.stringify(attributes)}`;
}
