import type { StateBlock } from "markdown-it";
import type { BlockRule } from "./block_rules.ts";

/** How many cells a table may have beyond twice those that are written. */
const SPARE_CELLS = 50;

/** The rule of tables, which ends a table where its rows leave out so much that it would outgrow its source. */
export function withinSource(rule: BlockRule): BlockRule {
  return (state, ...[startLine, endLine, silent]) => {
    if (silent) return rule(state, startLine, endLine, true);
    const isTable = rule(state, startLine, endLine, true);
    return isTable && rule(state, startLine, lastLine(state, startLine, endLine), false);
  };
}

function lastLine(state: StateBlock, startLine: number, endLine: number): number {
  const columns = barsIn(state, startLine);
  let written = columns;
  let missing = 0;
  let line = startLine + 2;
  for (; line < endLine && !state.isEmpty(line); line++) {
    const bars = barsIn(state, line);
    written += bars;
    missing += Math.max(0, columns - bars);
    if (missing > written + SPARE_CELLS) break;
  }
  return line;
}

function barsIn(state: StateBlock, line: number): number {
  return state.src.slice(state.bMarks[line], state.eMarks[line]).split("|").length - 1;
}
