import type { StateBlock } from "markdown-it";
import type { BlockRule } from "./block_rules.ts";

/** How many lines without a sign of their own a quotation may go on for. */
const MAX_UNSIGNED_LINES = 50;

/**
 * The rule of quotations, told where to stop looking: it reads ahead for unsigned lines even where what is quoted
 * cannot take them, and would do so anew from each following quotation.
 */
export function withinReach(rule: BlockRule): BlockRule {
  return (state, ...[startLine, endLine, silent]) => {
    if (silent || !isSigned(state, startLine)) return rule(state, startLine, endLine, silent);
    const { lineMax } = state;
    const end = reachOf(state, startLine, endLine);
    state.lineMax = Math.min(lineMax, end);
    const isQuote = rule(state, startLine, end, false);
    state.lineMax = lineMax;
    return isQuote;
  };
}

function reachOf(state: StateBlock, startLine: number, endLine: number): number {
  let unsigned = 0;
  let line = startLine;
  for (; line < endLine && !state.isEmpty(line); line++) {
    if (!isSigned(state, line)) unsigned++;
    if (unsigned > MAX_UNSIGNED_LINES) break;
  }
  return line;
}

function isSigned(state: StateBlock, line: number): boolean {
  return state.src[(state.bMarks[line] ?? 0) + (state.tShift[line] ?? 0)] === ">";
}
