import type { StateInline } from "markdown-it";
import { advance, MARKUP_TOKEN, pushMarkup } from "./inline_rules.ts";
import { renderElement } from "./markup.ts";
import { getRenderState, type RenderState } from "./render_state.ts";

/** Parses `$$source$$` on one line. */
export function mathRule(state: StateInline, silent: boolean): boolean {
  if (!state.src.startsWith("$$", state.pos)) return false;
  let start = state.pos;
  while (state.src[start] === "$") start++;
  const opening = start - state.pos;
  const end = state.src.indexOf("$$", start);
  const source = end < 0 || end + 2 > state.posMax || state.src[end + 2] === "$"
    ? ""
    : state.src.slice(start, end);
  if (opening > 2 || source.trim() === "" || source.includes("\n")) {
    if (!silent) state.pending += state.src.slice(state.pos, start);
    return advance(state, opening);
  }
  const length = end + 2 - state.pos;
  if (silent) return advance(state, length);
  const rendered = getRenderState(state.env).renderMath(source, { isBlock: false });
  if (rendered === undefined) {
    return pushMarkup(state, length, renderElement("code", { class: "math" }, source));
  }
  if (rendered === null) {
    return pushMarkup(state, length, renderElement("span", { class: "tex-error" }, `$$${source}$$`));
  }
  // Formulas have limits of their own, so that they leave room for mentions.
  state.push(MARKUP_TOKEN, "", 0).content = rendered;
  return advance(state, length);
}

/** Renders the content of a fence as formulas: one for each paragraph. */
export function renderMathBlocks(rendering: RenderState, content: string): string {
  const formulas = content.split(/\n\s*\n/).map((source) => source.trim()).filter((source) => source !== "");
  return formulas.map((source) => `${renderBlock(rendering, source)}\n`).join("");
}

function renderBlock(rendering: RenderState, source: string): string {
  const rendered = rendering.renderMath(source, { isBlock: true });
  if (rendered === undefined) return `<pre>${renderElement("code", { class: "math" }, `${source}\n`)}</pre>`;
  return `<p>${rendered ?? renderElement("span", { class: "tex-error" }, source)}</p>`;
}
