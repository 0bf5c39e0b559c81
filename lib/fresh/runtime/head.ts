import { type ComponentChildren, isValidElement, toChildArray, type VNode } from "preact";
import { useEffect } from "preact/hooks";
import { IS_BROWSER } from "./asset.ts";
import { currentRender } from "./current_render.ts";

/** The props of `Head`. */
export interface HeadProps {
  children?: ComponentChildren;
}

/** Puts its children into the document's head; a title, or an element of the same key, is replaced. */
export function Head({ children }: HeadProps): null {
  if (IS_BROWSER) {
    useEffect(() => elementsOf(children).forEach(updateHead));
  } else {
    elementsOf(children).forEach((element) => currentRender()?.addToHead(element));
  }
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
