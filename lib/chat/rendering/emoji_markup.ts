import type { CustomEmojiRef } from "./context.ts";
import type { Emoji } from "./emoji.ts";
import { element, startTag } from "./markup.ts";
import { safeImageSource } from "./url.ts";

/** A standard emoji as markup, its name between colons as text. */
export function emojiMarkup({ name, code }: Emoji): string {
  const title = name.replaceAll("_", " ");
  const attributes = { "aria-label": title, class: `emoji emoji-${code}`, role: "img", title };
  return element("span", attributes, `:${name}:`);
}

/** A custom emoji as markup, or null where it has no picture on this server. */
export function customEmojiMarkup(name: string, { url }: CustomEmojiRef, realmUrl: string): string | null {
  const src = url === undefined ? null : safeImageSource(url, realmUrl);
  if (src === null) return null;
  return startTag("img", { alt: `:${name}:`, class: "emoji", src, title: name.replaceAll("_", " ") });
}
