import { once } from "es-toolkit/function/once";
import type { StateCore, Token } from "markdown-it";
import { findEmojiByCharacters, findEmojiByName, renderEmoji } from "./emoji.ts";
import { MARKUP_TOKEN } from "./inline_rules.ts";
import { renderElement, renderStartTag } from "./html.ts";
import { getRenderState, type RenderState } from "./render_state.ts";
import { isImagePath, selectLinks } from "./urls.ts";

/** Maximum nesting depth of emphasis; deeper marks are shown as text. */
const MAX_EMPHASIS_DEPTH = 20;
const EMOTICONS: Readonly<Record<string, string>> = {
  ":)": "smile",
  ":-)": "smile",
  ":(": "frown",
  ":-(": "frown",
  ";)": "wink",
  ":D": "grinning",
  ":|": "expressionless",
  ":/": "confused",
  ":P": "stuck_out_tongue",
  ":p": "stuck_out_tongue",
  "<3": "heart",
};
const EMOTICON_PATTERN = /(?<=^|\s)(?::-?[\)\(]|;\)|:[D\|\/Pp]|<3)(?=$|\s|[.,!?])/g;
/** A part that every emoji has: a pictograph, a skin tone, a letter of a flag, or the key of a keycap. */
const EMOJI_PART = /[\p{Extended_Pictographic}\p{Emoji_Modifier}\p{Regional_Indicator}\u20e3]/u;
// The list of all emoji takes tens of milliseconds to compile, which the start and most texts do without.
const getEmojiPattern = once(() => new RegExp("\\p{RGI_Emoji}", "gv"));
const getEmojiOrEmoticonPattern = once(() => new RegExp(`\\p{RGI_Emoji}|${EMOTICON_PATTERN.source}`, "gv"));

/** A piece of text, or the HTML that replaces it. */
interface TextPiece {
  readonly text: string;
  readonly markup: string | null;
}

/** Parses inline content of each block and records whether it is quoted. */
export function inlineRule(state: StateCore): void {
  const rendering = getRenderState(state.env);
  let quotes = 0;
  for (const token of state.tokens) {
    if (token.type === "blockquote_open") quotes++;
    else if (token.type === "blockquote_close") quotes--;
    rendering.isQuoted = quotes > 0;
    if (token.type === "inline") {
      state.md.inline.parse(token.content, state.md, state.env, token.children ?? []);
    }
  }
}

/** Limits emphasis and renders emoji, emoticons and linkified ranges. */
export function textRule(state: StateCore): void {
  const rendering = getRenderState(state.env);
  for (const token of state.tokens) {
    if (token.type !== "inline" || token.children === null) continue;
    limitEmphasis(token.children);
    let links = 0;
    token.children = token.children.flatMap((child) => {
      if (child.type === "link_open") links++;
      else if (child.type === "link_close") links--;
      return child.type === "text"
        ? toTokens(state, child, splitPieces(child.content, rendering, links > 0))
        : [child];
    });
  }
}

function limitEmphasis(tokens: readonly Token[]): void {
  let depth = 0;
  for (const token of tokens) {
    if (!/^(?:em|strong|s)_/.test(token.type)) continue;
    if (token.nesting < 0) depth--;
    const isTooDeep = depth >= MAX_EMPHASIS_DEPTH;
    if (token.nesting > 0) depth++;
    if (!isTooDeep) continue;
    token.type = "text";
    token.tag = "";
    token.content = token.markup;
    token.nesting = 0;
  }
}

function toTokens({ Token: Made }: StateCore, text: Token, pieces: readonly TextPiece[]): Token[] {
  if (pieces.every(({ markup }) => markup === null)) return [text];
  return pieces.map((piece) => {
    const token = new Made(piece.markup === null ? "text" : MARKUP_TOKEN, "", 0);
    token.content = piece.markup ?? piece.text;
    return token;
  });
}

function splitPieces(text: string, rendering: RenderState, isLinked: boolean): TextPiece[] {
  const { linkify, translateEmoticons } = rendering.context;
  const links = isLinked || linkify === undefined ? [] : selectLinks(text, linkify(text));
  const pattern = choosePattern(text, translateEmoticons);
  const pieces: TextPiece[] = [];
  let from = 0;
  for (const { start, end, url } of links) {
    pieces.push(...splitEmoji(text.slice(from, start), { pattern, rendering }));
    const linked = text.slice(start, end);
    const markup = renderElement("a", { href: url }, linked);
    pieces.push({ text: linked, markup: rendering.takeMarkup(markup) ? markup : null });
    from = end;
  }
  pieces.push(...splitEmoji(text.slice(from), { pattern, rendering }));
  return pieces;
}

/** Returns the pattern of the emoji and emoticons to replace in a text; null when there are none. */
function choosePattern(text: string, translateEmoticons: boolean): RegExp | null {
  if (!EMOJI_PART.test(text)) return translateEmoticons ? EMOTICON_PATTERN : null;
  return translateEmoticons ? getEmojiOrEmoticonPattern() : getEmojiPattern();
}

function splitEmoji(
  text: string,
  { pattern, rendering }: { pattern: RegExp | null; rendering: RenderState },
): TextPiece[] {
  const pieces: TextPiece[] = [];
  let from = 0;
  for (const { index, 0: found } of pattern === null ? [] : text.matchAll(pattern)) {
    const name = EMOTICONS[found];
    const emoji = name === undefined ? findEmojiByCharacters(found) : findEmojiByName(name);
    const markup = emoji === null ? null : renderEmoji(emoji);
    if (markup === null || !rendering.takeMarkup(markup)) continue;
    if (index > from) pieces.push({ text: text.slice(from, index), markup: null });
    pieces.push({ text: found, markup });
    from = index + found.length;
  }
  if (from < text.length) pieces.push({ text: text.slice(from), markup: null });
  return pieces;
}

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
  const rewritten = [...previews].reduce((html, [path, markup]) => {
    const attributes = toAttributes(path);
    if (attributes === null) return html.replace(`${markup}\n`, "").replace(markup, "");
    const image = renderStartTag("img", attributes);
    return html.replace(markup, () => markup.replace(renderStartTag("img", { src: path }), () => image));
  }, html);
  return rewritten.trimEnd();
}
