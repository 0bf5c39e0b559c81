import type { CustomEmojiRef } from "./context.ts";
import type { Emoji } from "./emoji.ts";
import { renderElement, renderStartTag } from "./markup.ts";
import { toSafeImageSource } from "./urls.ts";

/** Renders a standard emoji, with its name between colons as text. */
export function renderEmoji({ name, code }: Emoji): string {
  const title = name.replaceAll("_", " ");
  const attributes = { "aria-label": title, class: `emoji emoji-${code}`, role: "img", title };
  return renderElement("span", attributes, `:${name}:`);
}

/** Renders a custom emoji; null when it has no image on this server. */
export function renderCustomEmoji(name: string, { url }: CustomEmojiRef, realmUrl: string): string | null {
  const src = url === undefined ? null : toSafeImageSource(url, realmUrl);
  if (src === null) return null;
  return renderStartTag("img", { alt: `:${name}:`, class: "emoji", src, title: name.replaceAll("_", " ") });
}
