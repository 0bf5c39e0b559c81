import { once } from "es-toolkit/function/once";
import type { StateCore, Token } from "markdown-it";
import { renderEmoji } from "./render_emoji.ts";
import { findEmojiByCharacters, findEmojiByName } from "./emoji.ts";
import { MARKUP_TOKEN } from "./inline_rules.ts";
import { renderElement } from "./markup.ts";
import { getRenderState, type RenderState } from "./render_state.ts";
import { selectLinks } from "./urls.ts";

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

/** Returns the pattern of what is replaced in a text; null when it has no emoji and emoticons stay. */
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
