import { escapeHtml } from "@/lib/core/html.ts";

/** Renders a start tag with escaped attributes. */
export function renderStartTag(tag: string, attributes: Readonly<Record<string, string | number>>): string {
  const rendered = Object.entries(attributes).map(([name, value]) =>
    ` ${name}="${escapeHtml(String(value))}"`
  );
  return `<${tag}${rendered.join("")}>`;
}

/** Renders an element with escaped attributes and text. */
export function renderElement(
  tag: string,
  attributes: Readonly<Record<string, string | number>>,
  text: string,
): string {
  return `${renderStartTag(tag, attributes)}${escapeHtml(text)}</${tag}>`;
}
