import type { StateCore, Token } from "markdown-it";
import { MARKUP_TOKEN } from "./inline_rules.ts";
import { renderStartTag } from "./markup.ts";
import { getRenderState, type RenderState } from "./render_state.ts";
import { isImagePath } from "./urls.ts";

/** Maximum number of images of one message that are previewed. */
const MAX_PREVIEWS = 24;

/** Adds previews of linked images after their paragraph or heading, outside quotes. */
export function previewRule(state: StateCore): void {
  const rendering = getRenderState(state.env);
  if (rendering.context.previewsImages !== true) return;
  let quotes = 0;
  let waiting: string[] = [];
  state.tokens = state.tokens.flatMap((token) => {
    if (token.type === "blockquote_open") quotes++;
    else if (token.type === "blockquote_close") quotes--;
    else if (token.type === "inline" && quotes === 0) {
      waiting = renderPreviews(rendering, token.children ?? []);
    }
    if (!/^(?:paragraph|heading)_close$/.test(token.type) || waiting.length === 0) return [token];
    const previews = new state.Token(MARKUP_TOKEN, "", 0);
    previews.content = waiting.map((preview) => `${preview}\n`).join("");
    waiting = [];
    return [token, previews];
  });
}

function renderPreviews(rendering: RenderState, tokens: readonly Token[]): string[] {
  const previews: string[] = [];
  for (const [at, token] of tokens.entries()) {
    if (token.type !== "link_open") continue;
    const href = String(token.attrs?.find(([name]) => name === "href")?.[1] ?? "");
    const path = rendering.toUploadPath(href);
    if (path === null || !isImagePath(path) || rendering.previews.has(path)) continue;
    if (rendering.previews.size >= MAX_PREVIEWS) continue;
    const markup = renderPreview(path, { href, title: readText(tokens, at) });
    if (!rendering.takeMarkup(markup)) continue;
    rendering.previews.set(path, markup);
    previews.push(markup);
  }
  return previews;
}

/** Returns the text of the link that begins at a token; empty for a bare URL. */
function readText(tokens: readonly Token[], start: number): string {
  const end = tokens.findIndex((token, at) => at > start && token.type === "link_close");
  const text = tokens.slice(start + 1, end).map(({ type, content }) => type === MARKUP_TOKEN ? "" : content)
    .join("");
  return /^https?:/i.test(text) ? "" : text;
}

function renderPreview(path: string, { href, title }: { href: string; title: string }): string {
  const link = renderStartTag("a", { href, ...(title === "" ? {} : { title }) });
  return `<div class="message_inline_image">${link}${renderStartTag("img", { src: path })}</a></div>`;
}

/**
 * Returns rendered HTML with other attributes of the image of each preview; `toAttributes` returns those of the
 * upload with a path, or null to remove the preview.
 */
export function rewritePreviews(
  html: string,
  previews: ReadonlyMap<string, string>,
  toAttributes: (path: string) => Readonly<Record<string, string>> | null,
): string {
  // Texts of a message are escaped, so that this markup is found only where previews were added.
  const rewritten = [...previews].reduce((rest, [path, markup]) => {
    const attributes = toAttributes(path);
    if (attributes === null) return rest.replace(`${markup}\n`, "").replace(markup, "");
    const image = renderStartTag("img", attributes);
    return rest.replace(markup, () => markup.replace(renderStartTag("img", { src: path }), () => image));
  }, html);
  return rewritten.trimEnd();
}
