import type { Env } from "markdown-it";
import { matchBrackets } from "./brackets.ts";
import type { RenderContext } from "./context.ts";

/** The work on one message: what it may ask, and what it has found so far. */
export class Rendering {
  readonly users = new Set<number>();
  readonly groups = new Set<number>();
  readonly attachments = new Set<string>();
  mentionsStream = false;
  mentionsTopic = false;
  hasLink = false;
  hasImage = false;
  /** Whether the text at hand is a quotation, in which mentions are silent. */
  isQuoted = false;
  #brackets: { readonly text: string; readonly ends: ReadonlyMap<number, number> } | null = null;

  /** Starts with nothing found. */
  constructor(readonly context: RenderContext) {}

  /** Where each bracket of `text` is closed; counted once a text, so that many brackets stay cheap. */
  bracketsOf(text: string): ReadonlyMap<number, number> {
    if (this.#brackets?.text !== text) this.#brackets = { text, ends: matchBrackets(text) };
    return this.#brackets.ends;
  }

  /** Takes note of a link that the author wrote. */
  noteLink(href: string): void {
    this.hasLink = true;
    const local = href.startsWith(`${this.context.realmUrl}/`)
      ? href.slice(this.context.realmUrl.length)
      : href;
    const path = local.replace(/[?#].*$/s, "");
    if (path.startsWith("/user_uploads/")) this.attachments.add(path);
    if (/\.(?:avif|bmp|gif|jpe?g|png|webp)$/i.test(path)) this.hasImage = true;
  }
}

/** The rendering that an environment of the parser carries. */
export function renderingOf(env: Env): Rendering {
  if (env.rendering instanceof Rendering) return env.rendering;
  throw new TypeError("The parser was started without a rendering");
}
