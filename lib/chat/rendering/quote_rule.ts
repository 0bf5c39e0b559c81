import type { StateBlock } from "markdown-it";
import type { BlockRule } from "./block_rules.ts";

/** Maximum number of lazy continuation lines of a quote. */
const MAX_LAZY_LINES = 50;

/**
 * Wraps the quote rule with a limit on lines to scan: it looks ahead for lazy continuation lines even where
 * they cannot apply, and would repeat that from each following quote.
 */
export function limitLazyLines(rule: BlockRule): BlockRule {
  return (state, ...[startLine, endLine, silent]) => {
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
