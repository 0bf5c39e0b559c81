const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** A channel's description as HTML: one paragraph of plain text, or nothing. */
export function renderChannelDescription(description: string): string {
  if (description.trim() === "") return "";
  return `<p>${description.replace(/[&<>"]/g, (character) => ENTITIES[character] ?? character)}</p>`;
}
