import type { RenderContext, Rendered } from "./context.ts";
import { createMarkdown } from "./markdown.ts";
import { element } from "./markup.ts";
import { Rendering } from "./rendering.ts";
import { sanitize } from "./sanitize.ts";
import { normalizeContent } from "./syntax.ts";

/** The longest html of a message, in UTF-16 units, as a commit of the store holds no more; a message that would take more is shown as plain text. */
export const MAX_HTML_LENGTH = 300_000;

const markdown = createMarkdown();

/** The html of a message and what it mentions, links and holds; pure, never throws, takes linear time. */
export function renderMessage(content: string, context: RenderContext): Rendered {
  const text = normalizeContent(content);
  const rendering = new Rendering(context);
  const html = sanitize(markdown.render(text, { rendering }).trimEnd());
  const isTooLong = html.length > MAX_HTML_LENGTH;
  const found = isTooLong ? new Rendering(context) : rendering;
  return {
    html: isTooLong ? element("p", {}, text.slice(0, MAX_HTML_LENGTH / 10)) : html,
    mentioned_user_ids: [...found.users],
    mentioned_group_ids: [...found.groups],
    wildcard: { stream: found.mentionsStream, topic: found.mentionsTopic },
    has_link: found.hasLink,
    has_image: found.hasImage,
    attachments: [...found.attachments],
    is_me_message: text.startsWith("/me ") && /^<p>(?:(?!<p>).)*<\/p>$/s.test(html),
  };
}
