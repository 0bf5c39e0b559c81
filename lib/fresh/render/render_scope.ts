import type { JSX } from "preact";
import type { Island, IslandRegistry } from "../build/build_assets.ts";

/** Result of one render: the islands on the page, their props, and elements for the head. */
export class RenderScope {
  readonly islandRegistry: IslandRegistry;
  readonly nonce: string;
  /** The document's parts that the page or app wrapper rendered itself. */
  readonly documentParts = new Set<"html" | "head" | "body">();
  readonly islands = new Set<Island>();
  readonly islandProps: Record<string, unknown>[] = [];
  readonly #head = new Map<string, JSX.Element>();
  readonly #asIs = new WeakSet<JSX.Element>();

  constructor(islandRegistry: IslandRegistry) {
    this.islandRegistry = islandRegistry;
    this.nonce = crypto.randomUUID().replaceAll("-", "");
  }

  /** Keeps an island's props and gives their index. */
  addIsland(island: Island, props: Record<string, unknown>): number {
    this.islands.add(island);
    return this.islandProps.push(props) - 1;
  }

  /** Marks an element that is rendered as it is: an island without its boundary, a head element where it is. */
  asIs(vnode: JSX.Element): JSX.Element {
    this.#asIs.add(vnode);
    return vnode;
  }

  isAsIs(vnode: JSX.Element): boolean {
    return this.#asIs.has(vnode);
  }

  /** Keeps an element for the head; a later one of the same identity replaces it. */
  addToHead(identity: string, vnode: JSX.Element): void {
    this.#head.set(identity, vnode);
  }

  /** Returns the element to show in place of one of this identity, or undefined; it is given out once. */
  takeReplacement(identity: string): JSX.Element | undefined {
    const replacement = this.#head.get(identity);
    this.#head.delete(identity);
    return replacement;
  }

  /** The elements for the head that replaced nothing. */
  takeHead(): JSX.Element[] {
    const rest = [...this.#head.values()];
    this.#head.clear();
    return rest;
  }
}
