import type { StateBlock } from "markdown-it";
import { closingLine, type FenceMark, readFence } from "./fences.ts";

/** How deep blocks may stand in each other; what is deeper is shown as text. */
export const MAX_BLOCK_DEPTH = 40;

/** A rule of the parser for blocks. */
export type BlockRule = (state: StateBlock, ...call: BlockCall) => boolean;

/** What the parser tells a rule besides its state; a silent call only asks whether the block starts here. */
export type BlockCall = [startLine: number, endLine: number, silent: boolean];

/** The rule, which steps back where blocks stand too deep in each other already. */
export function withinDepth(rule: BlockRule): BlockRule {
  return (state, ...call) => state.level < MAX_BLOCK_DEPTH && rule(state, ...call);
}

/** Fenced code, formulas, quotations and spoilers; the last two hold blocks, fenced ones among them. */
export function fenceRule(state: StateBlock, ...[startLine, endLine, silent]: BlockCall): boolean {
  if (state.level > MAX_BLOCK_DEPTH) return false;
  const mark = readFence(state, startLine);
  if (mark === null) return false;
  if (silent) return true;
  const holdsBlocks = mark.holdsBlocks && state.level < MAX_BLOCK_DEPTH;
  const fence = { ...mark, holdsBlocks };
  const { line, isClosed } = closingLine(state, { fence, startLine, endLine });
  if (holdsBlocks) putContainer(state, fence, { from: startLine + 1, to: line });
  else putCode(state, fence, { from: startLine + 1, to: line });
  state.line = line + (isClosed ? 1 : 0);
  return true;
}

/** A range of lines, `to` exclusive. */
interface Lines {
  readonly from: number;
  readonly to: number;
}

function putCode(state: StateBlock, { info }: FenceMark, { from, to }: Lines): void {
  const token = state.push("fence", "code", 0);
  token.info = info;
  const text = state.getLines(from, to, state.sCount[from - 1] ?? 0, true);
  // A fence that the message leaves open may lack its last line's end.
  token.content = text === "" || text.endsWith("\n") ? text : `${text}\n`;
}

function putContainer(state: StateBlock, { kind, info }: FenceMark, lines: Lines): void {
  if (kind === "quote") {
    state.push("blockquote_open", "blockquote", 1);
    parseLines(state, lines);
    state.push("blockquote_close", "blockquote", -1);
    return;
  }
  putDiv(state, { class: "spoiler-block" });
  putDiv(state, { class: "spoiler-header" });
  const header = info.replace(/^\S+\s*/, "");
  if (header !== "") {
    state.push("paragraph_open", "p", 1);
    const inline = state.push("inline", "", 0);
    inline.content = header;
    inline.children = [];
    state.push("paragraph_close", "p", -1);
  }
  state.push("div_close", "div", -1);
  putDiv(state, { class: "spoiler-content", "aria-hidden": "true" });
  parseLines(state, lines);
  state.push("div_close", "div", -1);
  state.push("div_close", "div", -1);
}

function putDiv(state: StateBlock, attributes: Readonly<Record<string, string>>): void {
  state.push("div_open", "div", 1).attrs = Object.entries(attributes);
}

function parseLines(state: StateBlock, { from, to }: Lines): void {
  const { lineMax, parentType, tight } = state;
  state.lineMax = to;
  state.parentType = "blockquote";
  state.md.block.tokenize(state, from, to);
  state.lineMax = lineMax;
  state.parentType = parentType;
  state.tight = tight;
}
