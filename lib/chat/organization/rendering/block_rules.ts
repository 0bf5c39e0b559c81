import type { StateBlock } from "markdown-it";

/** The opening line of a fenced block. */
interface FenceMark {
  readonly char: string;
  readonly length: number;
  /** Text after the fence, trimmed. */
  readonly info: string;
  readonly kind: "quote" | "spoiler" | "code";
  /** Whether it contains blocks rather than text. */
  readonly holdsBlocks: boolean;
}

function parseFence(state: StateBlock, line: number): FenceMark | null {
  // Negative at a fence that ends a list.
  const indent = (state.sCount[line] ?? 0) - state.blkIndent;
  const start = (state.bMarks[line] ?? 0) + (state.tShift[line] ?? 0);
  const char = state.src.charAt(start);
  if (indent >= 4 || (char !== "`" && char !== "~")) return null;
  const end = state.eMarks[line] ?? start;
  let after = start;
  while (after < end && state.src[after] === char) after++;
  const info = state.src.slice(after, end).trim();
  if (after - start < 3 || (char === "`" && info.includes("`"))) return null;
  const kind = /^quote(?:d)?$/.test(info) ? "quote" : /^spoiler(?:\s|$)/.test(info) ? "spoiler" : "code";
  return { char, length: after - start, info, kind, holdsBlocks: kind !== "code" };
}

/** Finds the line that closes a fence, or the first line after it. */
function findClosingLine(
  state: StateBlock,
  { fence, startLine, endLine }: { fence: FenceMark; startLine: number; endLine: number },
): { line: number; isClosed: boolean } {
  const open = [fence];
  let line = startLine + 1;
  for (; line < endLine; line++) {
    if ((state.sCount[line] ?? 0) < state.blkIndent && !state.isEmpty(line)) break;
    const mark = parseFence(state, line);
    const top = open.at(-1);
    if (mark === null || top === undefined) continue;
    const closes = mark.info === "" && mark.char === top.char && mark.length >= top.length;
    if (closes) open.pop();
    else if (top.holdsBlocks) open.push(mark);
    if (open.length === 0) return { line, isClosed: true };
  }
  return { line, isClosed: false };
}

/** Maximum nesting depth of blocks; deeper blocks are shown as text. */
export const MAX_BLOCK_DEPTH = 40;

/** A block rule of the parser; a silent call only tests whether the block starts here. */
export type BlockRule = (state: StateBlock, startLine: number, endLine: number, silent: boolean) => boolean;

/** Wraps a rule so that it does not match beyond MAX_BLOCK_DEPTH. */
export function limitDepth(rule: BlockRule): BlockRule {
  return (state, startLine, endLine, silent) =>
    state.level < MAX_BLOCK_DEPTH && rule(state, startLine, endLine, silent);
}

/** Parses fenced code, formulas, quotes and spoilers; the last two contain blocks, including fenced ones. */
export function fenceRule(state: StateBlock, startLine: number, endLine: number, silent: boolean): boolean {
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

/** Maximum number of lazy continuation lines of a quote. */
const MAX_LAZY_LINES = 50;

/**
 * Wraps the quote rule with a limit on lines to scan: it looks ahead for lazy continuation lines even where
 * they cannot apply, and would repeat that from each following quote.
 */
export function limitLazyLines(rule: BlockRule): BlockRule {
  return (state, startLine, endLine, silent) => {
    if (silent || !isMarked(state, startLine)) return rule(state, startLine, endLine, silent);
    const { lineMax } = state;
    const end = findReach(state, startLine, endLine);
    state.lineMax = Math.min(lineMax, end);
    const isQuote = rule(state, startLine, end, false);
    state.lineMax = lineMax;
    return isQuote;
  };
}

function findReach(state: StateBlock, startLine: number, endLine: number): number {
  let lazyLines = 0;
  let line = startLine;
  for (; line < endLine && !state.isEmpty(line); line++) {
    if (!isMarked(state, line)) lazyLines++;
    if (lazyLines > MAX_LAZY_LINES) break;
  }
  return line;
}

function isMarked(state: StateBlock, line: number): boolean {
  return state.src[(state.bMarks[line] ?? 0) + (state.tShift[line] ?? 0)] === ">";
}

/** Number of omitted cells a table may have beyond the number of written ones. */
const SPARE_CELLS = 50;
/** Number of cells of a table, written or omitted, after which it ends; one with more takes too long to render. */
const MAX_CELLS = 2000;

/** Wraps the table rule so that a table ends before it has too many cells, or its omitted ones make it outgrow its source. */
export function limitTableSize(rule: BlockRule): BlockRule {
  return (state, startLine, endLine, silent) => {
    if (silent) return rule(state, startLine, endLine, true);
    const isTable = countBars(state, startLine) <= MAX_CELLS && rule(state, startLine, endLine, true);
    return isTable && rule(state, startLine, findLastLine(state, startLine, endLine), false);
  };
}

function findLastLine(state: StateBlock, startLine: number, endLine: number): number {
  const columns = countBars(state, startLine);
  let written = columns;
  let missing = 0;
  let line = startLine + 2;
  for (; line < endLine && !state.isEmpty(line); line++) {
    const bars = countBars(state, line);
    written += bars;
    missing += Math.max(0, columns - bars);
    if (missing > written + SPARE_CELLS || written + missing > MAX_CELLS) break;
  }
  return line;
}

function countBars(state: StateBlock, line: number): number {
  return state.src.slice(state.bMarks[line], state.eMarks[line]).split("|").length - 1;
}
