/** Text as it may stand in an element or in a quoted attribute. */
export function escapeMarkup(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll(
    '"',
    "&quot;",
  );
}

/** A start tag with its attributes escaped. */
export function startTag(tag: string, attributes: Readonly<Record<string, string | number>>): string {
  const written = Object.entries(attributes).map(([name, value]) =>
    ` ${name}="${escapeMarkup(String(value))}"`
  );
  return `<${tag}${written.join("")}>`;
}

/** An element around text; attributes and text are escaped. */
export function element(
  tag: string,
  attributes: Readonly<Record<string, string | number>>,
  text: string,
): string {
  return `${startTag(tag, attributes)}${escapeMarkup(text)}</${tag}>`;
}
