import type { Env } from "markdown-it";
import type { RenderContext } from "./context.ts";
import { isImagePath } from "./urls.ts";

/** Maps the position of each `[` to that of its `]`, ignoring escapes and code spans. */
function matchBrackets(text: string): ReadonlyMap<number, number> {
  const ends = new Map<number, number>();
  const open: number[] = [];
  const spans = codeSpans(text);
  for (let at = 0; at < text.length; at++) {
    const char = text[at];
    if (char === "\\") at++;
    else if (char === "[") open.push(at);
    else if (char === "]") {
      const start = open.pop();
      if (start !== undefined) ends.set(start, at);
    } else if (char === "`") at = (spans.get(at) ?? runEnd(text, at)) - 1;
  }
  return ends;
}

/** Maps the start of each code span to the end of its closing backticks. */
function codeSpans(text: string): Map<number, number> {
  const spans = new Map<number, number>();
  const next = new Map<number, number>();
  const runs = [...text.matchAll(/`+/g)];
  for (const run of runs.reverse()) {
    const closing = next.get(run[0].length);
    if (closing !== undefined) spans.set(run.index, closing + run[0].length);
    next.set(run[0].length, run.index);
  }
  return spans;
}

function runEnd(text: string, start: number): number {
  let end = start;
  while (text[end] === "`") end++;
  return end;
}

/**
 * Maximum length of the HTML that replaces emoji, mentions, links to channels and the like in one message, in
 * UTF-16 units: some 700 emoji or 400 mentions.
 */
const MAX_MARKUP_LENGTH = 60_000;

/**
 * Maximum length of the formulas of one message that are rendered, in UTF-16 units of TeX. BASE_MATH_LENGTH is
 * added for each formula, and characters that cost more than others count several times.
 */
const MAX_MATH_LENGTH = 1_500;
/** Maximum length of the HTML of the formulas of one message, in UTF-16 units: some 50 short formulas. */
const MAX_MATH_HTML_LENGTH = 60_000;

/** Characters of TeX that cost more: cells of a matrix and letters with accents. */
const COSTLY_TEX = /[&\u0080-\uffff]/g;
const UPLOADS = "/user_uploads/";

/** Length that a costly character counts as. */
const COSTLY_LENGTH = 4;

/** Length that is added for each formula. */
const BASE_MATH_LENGTH = 15;

/** State of rendering one message: its context and the references found so far. */
export class RenderState {
  readonly users = new Set<number>();
  readonly groups = new Set<number>();
  readonly attachments = new Set<string>();
  /** HTML of the previews by the path of their upload. */
  readonly previews = new Map<string, string>();
  mentionsStream = false;
  mentionsTopic = false;
  hasLink = false;
  hasImage = false;
  /** Whether the current text is quoted, which makes mentions silent. */
  isQuoted = false;
  #markupLeft = MAX_MARKUP_LENGTH;
  #mathLeft = MAX_MATH_LENGTH;
  #mathHtmlLeft = MAX_MATH_HTML_LENGTH;
  #brackets: { readonly text: string; readonly ends: ReadonlyMap<number, number> } | null = null;

  constructor(readonly context: RenderContext) {}

  /**
   * Takes room for HTML that replaces a piece of the text. Returns false once too little was left: this piece
   * and all further ones stay text.
   */
  takeMarkup({ length }: string): boolean {
    this.#markupLeft = length > this.#markupLeft ? 0 : this.#markupLeft - length;
    return this.#markupLeft > 0;
  }

  /**
   * Renders a formula; null when it is invalid. Returns undefined when formulas are shown as code, as all are
   * that follow the first one beyond the limits.
   */
  renderMath(source: string, options: { readonly isBlock: boolean }): string | null | undefined {
    const { renderMath } = this.context;
    const length = source.replace(COSTLY_TEX, "x".repeat(COSTLY_LENGTH)).length + BASE_MATH_LENGTH;
    this.#mathLeft = length > this.#mathLeft ? 0 : this.#mathLeft - length;
    if (renderMath === undefined || this.#mathLeft === 0) return undefined;
    const html = renderMath(source, options);
    if (html === null) return null;
    if (html.length > this.#mathHtmlLeft) this.#mathLeft = 0;
    else this.#mathHtmlLeft -= html.length;
    return this.#mathLeft === 0 ? undefined : html;
  }

  /** Returns the position of the closing bracket of each opening one; computed once per text. */
  matchBrackets(text: string): ReadonlyMap<number, number> {
    if (this.#brackets?.text !== text) this.#brackets = { text, ends: matchBrackets(text) };
    return this.#brackets.ends;
  }

  recordLink(href: string): void {
    this.hasLink = true;
    const path = this.#toLocalPath(href);
    if (path.startsWith(UPLOADS)) this.attachments.add(path);
    if (isImagePath(path)) this.hasImage = true;
  }

  /** Returns the path of the upload that a link leads to, without query; null for other links. */
  toUploadPath(href: string): string | null {
    const path = this.#toLocalPath(href);
    return path.startsWith(UPLOADS) ? path : null;
  }

  #toLocalPath(href: string): string {
    const { realmUrl } = this.context;
    const local = href.startsWith(`${realmUrl}/`) ? href.slice(realmUrl.length) : href;
    return local.replace(/[?#].*$/s, "");
  }
}

/**
 * Returns the state that a parser environment carries.
 * @throws TypeError when there is none.
 */
export function getRenderState(env: Env): RenderState {
  if (env.rendering instanceof RenderState) return env.rendering;
  throw new TypeError("The parser was started without a rendering");
}
