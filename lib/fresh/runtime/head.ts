import {
  type ComponentChildren,
  createContext,
  h,
  isValidElement,
  type JSX,
  toChildArray,
  type VNode,
} from "preact";
import { useEffect } from "preact/hooks";
import { IS_BROWSER } from "./asset.ts";

/** The props of `Head`. */
export interface HeadProps {
  children?: ComponentChildren;
}

/** True for elements inside `Head`. */
export const InsideHead = createContext(false);

/**
 * Puts the head elements among its children into the document's head. There, each replaces the next element
 * rendered with the same key, or without keys, with the same attribute values.
 */
export function Head({ children }: HeadProps): JSX.Element | null {
  if (!IS_BROWSER) return h(InsideHead.Provider, { value: true }, children);
  useEffect(() => elementsOf(children).forEach(updateHead));
  return null;
}

function elementsOf(children: ComponentChildren): VNode<Record<string, unknown>>[] {
  return toChildArray(children).filter(
    (child): child is VNode<Record<string, unknown>> => isValidElement(child),
  );
}

/** In the browser the title and the metas follow an island; links and scripts are the server's alone. */
function updateHead({ type, props }: VNode<Record<string, unknown>>): void {
  if (type === "title") {
    document.title = toChildArray(props.children as ComponentChildren).join("");
  }
  if (type !== "meta" || typeof props.content !== "string") return;
  const attribute = typeof props.property === "string" ? "property" : "name";
  const selector = `meta[${attribute}="${CSS.escape(String(props[attribute]))}"]`;
  const meta = document.head.querySelector(selector) ??
    document.head.appendChild(document.createElement("meta"));
  meta.setAttribute(attribute, String(props[attribute]));
  meta.setAttribute("content", props.content);
}
