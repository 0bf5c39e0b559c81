import type { StateCore, Token } from "markdown-it";
import { emojiMarkup } from "./emoji_markup.ts";
import { emojiByCharacters, lookupEmoji } from "./emoji.ts";
import { MARKUP } from "./inline_rules.ts";
import { element } from "./markup.ts";
import { type Rendering, renderingOf } from "./rendering.ts";
import { placeLinks } from "./place_links.ts";

/** How deep emphasis may stand in itself; what is deeper shows its signs. */
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
const CHARACTERS = /\p{RGI_Emoji}/gv;
const WITH_EMOTICONS = /\p{RGI_Emoji}|(?<=^|\s)(?::-?[\)\(]|;\)|:[D\|\/Pp]|<3)(?=$|\s|[.,!?])/gv;

/** A piece of a text: itself, or the markup that replaces it. */
interface Piece {
  readonly text: string;
  readonly markup: string | null;
}

/** Parses what is written in each block, telling the rules of mentions where it is quoted. */
export function inlineRule(state: StateCore): void {
  const rendering = renderingOf(state.env);
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

/** Names the language of code that names none, bounds emphasis, and turns characters, emoticons and linkified places of texts into markup. */
export function textRule(state: StateCore): void {
  const rendering = renderingOf(state.env);
  for (const token of state.tokens) {
    if (token.type === "fence" && token.info === "") token.info = rendering.context.codeLanguage ?? "";
    if (token.type !== "inline" || token.children === null) continue;
    boundEmphasis(token.children);
    let links = 0;
    token.children = token.children.flatMap((child) => {
      if (child.type === "link_open") links++;
      else if (child.type === "link_close") links--;
      return child.type === "text"
        ? toTokens(state, child, piecesOf(child.content, rendering, links > 0))
        : [child];
    });
  }
}

function boundEmphasis(tokens: readonly Token[]): void {
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

function toTokens({ Token: Made }: StateCore, text: Token, pieces: readonly Piece[]): Token[] {
  if (pieces.every(({ markup }) => markup === null)) return [text];
  return pieces.map((piece) => {
    const token = new Made(piece.markup === null ? "text" : MARKUP, "", 0);
    token.content = piece.markup ?? piece.text;
    return token;
  });
}

function piecesOf(text: string, rendering: Rendering, isLinked: boolean): Piece[] {
  const { linkify, translateEmoticons } = rendering.context;
  const links = isLinked || linkify === undefined ? [] : placeLinks(text, linkify(text));
  const pattern = translateEmoticons ? WITH_EMOTICONS : CHARACTERS;
  const pieces: Piece[] = [];
  let from = 0;
  for (const { start, end, url } of links) {
    pieces.push(...withEmoji(text.slice(from, start), pattern));
    const linked = text.slice(start, end);
    pieces.push({ text: linked, markup: element("a", { href: url }, linked) });
    from = end;
  }
  pieces.push(...withEmoji(text.slice(from), pattern));
  return pieces;
}

function withEmoji(text: string, pattern: RegExp): Piece[] {
  const pieces: Piece[] = [];
  let from = 0;
  for (const { index, 0: found } of text.matchAll(pattern)) {
    const name = EMOTICONS[found];
    const emoji = name === undefined ? emojiByCharacters(found) : lookupEmoji(name);
    if (emoji === null) continue;
    if (index > from) pieces.push({ text: text.slice(from, index), markup: null });
    pieces.push({ text: found, markup: emojiMarkup(emoji) });
    from = index + found.length;
  }
  if (from < text.length) pieces.push({ text: text.slice(from), markup: null });
  return pieces;
}
