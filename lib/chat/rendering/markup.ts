/** Escapes text for use in an element or a quoted attribute. */
export function escapeMarkup(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll(
    '"',
    "&quot;",
  );
}

/** Renders a start tag with escaped attributes. */
export function renderStartTag(tag: string, attributes: Readonly<Record<string, string | number>>): string {
  const rendered = Object.entries(attributes).map(([name, value]) =>
    ` ${name}="${escapeMarkup(String(value))}"`
  );
  return `<${tag}${rendered.join("")}>`;
}

/** Renders an element with escaped attributes and text. */
export function renderElement(
  tag: string,
  attributes: Readonly<Record<string, string | number>>,
  text: string,
): string {
  return `${renderStartTag(tag, attributes)}${escapeMarkup(text)}</${tag}>`;
}
