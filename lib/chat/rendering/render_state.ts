import type { Env } from "markdown-it";
import { matchBrackets } from "./brackets.ts";
import type { RenderContext } from "./context.ts";

/**
 * Maximum length of the HTML that replaces emoji, mentions, links to channels and the like in one message, in
 * UTF-16 units: some 700 emoji or 400 mentions.
 */
export const MAX_MARKUP_LENGTH = 60_000;

/** State of rendering one message: its context and the references found so far. */
export class RenderState {
  readonly users = new Set<number>();
  readonly groups = new Set<number>();
  readonly attachments = new Set<string>();
  mentionsStream = false;
  mentionsTopic = false;
  hasLink = false;
  hasImage = false;
  /** Whether the current text is quoted, which makes mentions silent. */
  isQuoted = false;
  #markupLeft = MAX_MARKUP_LENGTH;
  #brackets: { readonly text: string; readonly ends: ReadonlyMap<number, number> } | null = null;

  /** Creates a state without references. */
  constructor(readonly context: RenderContext) {}

  /**
   * Takes room for HTML that replaces a piece of the text. Returns false once too little was left: this piece
   * and all further ones stay text.
   */
  takeMarkup({ length }: string): boolean {
    this.#markupLeft = length > this.#markupLeft ? 0 : this.#markupLeft - length;
    return this.#markupLeft > 0;
  }

  /** Returns the position of the closing bracket of each opening one; computed once per text. */
  matchBrackets(text: string): ReadonlyMap<number, number> {
    if (this.#brackets?.text !== text) this.#brackets = { text, ends: matchBrackets(text) };
    return this.#brackets.ends;
  }

  /** Records a link of the author. */
  recordLink(href: string): void {
    this.hasLink = true;
    const local = href.startsWith(`${this.context.realmUrl}/`)
      ? href.slice(this.context.realmUrl.length)
      : href;
    const path = local.replace(/[?#].*$/s, "");
    if (path.startsWith("/user_uploads/")) this.attachments.add(path);
    if (/\.(?:avif|bmp|gif|jpe?g|png|webp)$/i.test(path)) this.hasImage = true;
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
