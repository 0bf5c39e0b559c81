import type { StateBlock } from "markdown-it";
import { type FenceMark, findClosingLine, parseFence } from "./fences.ts";

/** Maximum nesting depth of blocks; deeper blocks are shown as text. */
export const MAX_BLOCK_DEPTH = 40;

/** A block rule of the parser. */
export type BlockRule = (state: StateBlock, ...call: BlockCall) => boolean;

/** Arguments of a block rule besides its state; a silent call only tests whether the block starts here. */
export type BlockCall = [startLine: number, endLine: number, silent: boolean];

/** Wraps a rule so that it does not match beyond MAX_BLOCK_DEPTH. */
export function limitDepth(rule: BlockRule): BlockRule {
  return (state, ...call) => state.level < MAX_BLOCK_DEPTH && rule(state, ...call);
}

/** Parses fenced code, formulas, quotes and spoilers; the last two contain blocks, including fenced ones. */
export function fenceRule(state: StateBlock, ...[startLine, endLine, silent]: BlockCall): boolean {
  if (state.level > MAX_BLOCK_DEPTH) return false;
  const mark = parseFence(state, startLine);
  if (mark === null) return false;
  if (silent) return true;
  const holdsBlocks = mark.holdsBlocks && state.level < MAX_BLOCK_DEPTH;
  const fence = { ...mark, holdsBlocks };
  const { line, isClosed } = findClosingLine(state, { fence, startLine, endLine });
  if (holdsBlocks) pushContainer(state, fence, { from: startLine + 1, to: line });
  else pushCode(state, fence, { from: startLine + 1, to: line });
  state.line = line + (isClosed ? 1 : 0);
  return true;
}

/** A range of lines, `to` exclusive. */
interface LineRange {
  readonly from: number;
  readonly to: number;
}

function pushCode(state: StateBlock, { info }: FenceMark, { from, to }: LineRange): void {
  const token = state.push("fence", "code", 0);
  token.info = info;
  const text = state.getLines(from, to, state.sCount[from - 1] ?? 0, true);
  // An unclosed fence may lack the final line break.
  token.content = text === "" || text.endsWith("\n") ? text : `${text}\n`;
}

function pushContainer(state: StateBlock, { kind, info }: FenceMark, lines: LineRange): void {
  if (kind === "quote") {
    state.push("blockquote_open", "blockquote", 1);
    parseLines(state, lines);
    state.push("blockquote_close", "blockquote", -1);
    return;
  }
  state.push("spoiler_open", "div", 1);
  const header = info.replace(/^\S+\s*/, "");
  if (header !== "") {
    state.push("paragraph_open", "p", 1);
    const inline = state.push("inline", "", 0);
    inline.content = header;
    inline.children = [];
    state.push("paragraph_close", "p", -1);
  }
  state.push("spoiler_content", "div", 0);
  parseLines(state, lines);
  state.push("spoiler_close", "div", -1);
}

function parseLines(state: StateBlock, { from, to }: LineRange): void {
  const { lineMax, parentType, tight } = state;
  state.lineMax = to;
  state.parentType = "blockquote";
  state.md.block.tokenize(state, from, to);
  state.lineMax = lineMax;
  state.parentType = parentType;
  state.tight = tight;
}
