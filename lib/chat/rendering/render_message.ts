import type { RenderContext, Rendered } from "./context.ts";
import { createMarkdown } from "./markdown.ts";
import { renderElement } from "./markup.ts";
import { RenderState } from "./render_state.ts";
import { sanitize } from "./sanitize.ts";
import { normalizeContent } from "./syntax.ts";

/**
 * Maximum length of the HTML of a message, in UTF-16 units; a longer message is shown as plain text. Messages
 * of versions up to 0.5 have up to 300,000.
 */
export const MAX_HTML_LENGTH = 150_000;
/** Maximum length of the text of a message that is shown as plain text, in UTF-16 units. */
const MAX_PLAIN_LENGTH = 30_000;

/** One paragraph, with or without previews of images after it. */
const IN_ONE_PARAGRAPH = /^<p>(?:(?!<p>).)*<\/p>(?:\n<div class="message_inline_image">(?:(?!<p>).)*)?$/s;

const markdown = createMarkdown();

/** Renders a message and collects its references. Pure, never throws, linear time. */
export function renderMessage(content: string, context: RenderContext): Rendered {
  const text = normalizeContent(content);
  const rendering = new RenderState(context);
  const html = sanitize(markdown.render(text, { rendering }).trimEnd());
  const isTooLong = html.length > MAX_HTML_LENGTH;
  const references = isTooLong ? new RenderState(context) : rendering;
  return {
    html: isTooLong ? renderElement("p", {}, text.slice(0, MAX_PLAIN_LENGTH)) : html,
    mentioned_user_ids: [...references.users],
    mentioned_group_ids: [...references.groups],
    wildcard: { stream: references.mentionsStream, topic: references.mentionsTopic },
    has_link: references.hasLink,
    has_image: references.hasImage,
    attachments: [...references.attachments],
    previews: references.previews,
    is_me_message: text.startsWith("/me ") && IN_ONE_PARAGRAPH.test(html),
  };
}
