import { h, type JSX, type VNode } from "preact";
import { InsideHead } from "../runtime/head.ts";
import type { RenderScope } from "./render_scope.ts";

type Props = Record<string, unknown>;

const HEAD_ELEMENTS: ReadonlySet<string> = new Set([
  "title",
  "meta",
  "link",
  "script",
  "style",
  "base",
  "noscript",
  "template",
]);

/** Whether elements of this name can be moved into the document's head. */
export function isHeadElement(name: string): boolean {
  return HEAD_ELEMENTS.has(name);
}

/**
 * Returns the component that renders an element: inside `Head` nothing, as the element is kept for the document's
 * head; elsewhere, also in the body, the kept element of the same identity, or else the element itself.
 */
export function headElement(name: string, { key, props }: VNode<Props>, scope: RenderScope) {
  const identity = key === null || key === undefined ? identityOf(name, props) : String(key);
  return (given: Props): JSX.Element =>
    h(InsideHead.Consumer, null, (isInside: boolean) => {
      const own = scope.asIs(h(name, key ? { ...given, "data-key": key } : given));
      if (!isInside) return scope.takeReplacement(identity) ?? own;
      scope.addToHead(identity, own);
      return null;
    });
}

/** Attributes that do not count: two style sheets are one, whatever their addresses are. */
const IGNORED: Readonly<Record<string, readonly string[]>> = { meta: ["content"], link: ["href"] };
const ALWAYS_IGNORED: readonly string[] = ["children", "nonce", "ref"];

function identityOf(name: string, props: Props): string {
  if (name === "title") return name;
  const ignored = [...ALWAYS_IGNORED, ...IGNORED[name] ?? []];
  const names = Object.keys(props).filter((attribute) => !ignored.includes(attribute)).sort();
  return [name, ...names.map((attribute) => textOf(attribute, props[attribute]))].join("::");
}

function textOf(attribute: string, value: unknown): string {
  const isMarkup = attribute === "dangerouslySetInnerHTML" && value instanceof Object && "__html" in value;
  return String(isMarkup ? value.__html : value);
}
