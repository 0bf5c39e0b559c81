import {
  type ComponentChildren,
  type ComponentType,
  createContext,
  Fragment,
  type FunctionComponent,
  h,
  isValidElement,
  type JSX,
} from "preact";
import { Signal } from "@preact/signals";
import type { Island } from "./island.ts";
import type { RenderScope } from "./render_scope.ts";
import { SlotReference } from "./serialize.ts";

type Props = Record<string, unknown>;

/** True below an island, where further islands are ordinary components; false again inside its slots. */
const InsideIsland = createContext(false);

/** A component that renders an island between markers, and keeps its props for the browser. */
export function islandBoundary(island: Island, component: ComponentType<Props>, scope: RenderScope) {
  return (props: Props): JSX.Element =>
    h(InsideIsland.Consumer, null, (inside: boolean) => {
      if (inside) return scope.asIs(h(component, props));
      const { rendered, sent } = splitProps(props, scope);
      const reference = scope.addIsland(island, sent);
      return between(
        `frsh:island:${island.name}:${reference}:`,
        "/frsh:island",
        h(InsideIsland.Provider, { value: true }, scope.asIs(h(component, rendered))),
      );
    });
}

/** JSX props are rendered here and found again in the page; all others are sent. */
function splitProps(props: Props, scope: RenderScope): { rendered: Props; sent: Props } {
  const rendered: Props = {};
  const sent: Props = {};
  for (const [name, value] of Object.entries(props)) {
    if (isSlot(name, value)) {
      const id = scope.addSlot(value);
      rendered[name] = h(Slot, { id, scope });
      sent[name] = new SlotReference(id);
    } else {
      rendered[name] = value;
      sent[name] = value;
    }
  }
  return { rendered, sent };
}

function isSlot(name: string, value: unknown): value is ComponentChildren {
  if (value === null || value === undefined || value instanceof Signal) {
    return false;
  }
  return isValidElement(value) ||
    (name === "children" && typeof value !== "function");
}

interface SlotProps {
  id: number;
  scope: RenderScope;
}

function Slot({ id, scope }: SlotProps): JSX.Element {
  return between(
    `frsh:slot:${id}`,
    "/frsh:slot",
    h(InsideIsland.Provider, { value: false }, scope.takeSlot(id)),
  );
}

function between(start: string, end: string, content: JSX.Element): JSX.Element {
  return h(Fragment, null, comment(start), content, comment(end));
}

/** The renderer writes a fragment with this prop, which has no public type, as a comment. */
const CommentFragment: FunctionComponent<{ UNSTABLE_comment: string }> = Fragment;

function comment(text: string): JSX.Element {
  return h(CommentFragment, { UNSTABLE_comment: text });
}
