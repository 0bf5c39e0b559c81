import {
  type ComponentType,
  createContext,
  Fragment,
  type FunctionComponent,
  h,
  isValidElement,
  type JSX,
} from "preact";
import type { Island } from "../build/build_assets.ts";
import type { RenderScope } from "./render_scope.ts";

type Props = Record<string, unknown>;

/** True below an island, where further islands are ordinary components. */
const InsideIsland = createContext(false);

/** A component that renders an island between markers, and keeps its props for the browser. */
export function islandBoundary(island: Island, component: ComponentType<Props>, scope: RenderScope) {
  return (props: Props): JSX.Element =>
    h(InsideIsland.Consumer, null, (inside: boolean) => {
      const content = scope.asIs(h(component, props));
      if (inside) return content;
      requireJson(props);
      const index = scope.addIsland(island, props);
      return h(
        Fragment,
        null,
        comment(`frsh:island:${island.name}:${index}:`),
        h(InsideIsland.Provider, { value: true }, content),
        comment("/frsh:island"),
      );
    });
}

/** @throws TypeError for a prop that JSON does not keep as it is, such as a function, a date or JSX. */
function requireJson(value: unknown): void {
  switch (typeof value) {
    case "string":
    case "boolean":
    case "undefined":
      return;
    case "number":
      if (Number.isFinite(value)) return;
      break;
    case "object":
      if (value === null) return;
      if (Array.isArray(value) && !value.includes(undefined)) return value.forEach(requireJson);
      if (Object.getPrototypeOf(value) === Object.prototype && !isValidElement(value)) {
        return Object.values(value).forEach(requireJson);
      }
  }
  throw new TypeError(`An island cannot be given ${Deno.inspect(value, { depth: 0 })} as a prop`);
}

/** The renderer writes a fragment with this prop, which has no public type, as a comment. */
const CommentFragment: FunctionComponent<{ UNSTABLE_comment: string }> = Fragment;

function comment(text: string): JSX.Element {
  return h(CommentFragment, { UNSTABLE_comment: text });
}
