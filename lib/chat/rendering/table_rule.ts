import type { StateBlock } from "markdown-it";
import type { BlockRule } from "./block_rules.ts";

/** Number of omitted cells a table may have beyond the number of written ones. */
const SPARE_CELLS = 50;
/** Number of cells of a table, written or omitted, after which it ends; one with more takes too long to render. */
const MAX_CELLS = 2000;

/** Wraps the table rule so that a table ends before it has too many cells, or its omitted ones make it outgrow its source. */
export function limitTableSize(rule: BlockRule): BlockRule {
  return (state, ...[startLine, endLine, silent]) => {
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
