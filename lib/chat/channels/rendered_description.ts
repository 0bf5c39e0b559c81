import { element } from "../rendering/markup.ts";

/** A channel's description as HTML: one paragraph of plain text, or nothing. */
export function renderChannelDescription(description: string): string {
  return description.trim() === "" ? "" : element("p", {}, description);
}
