import type { StateBlock } from "markdown-it";

/** The opening line of a fenced block. */
export interface FenceMark {
  readonly char: string;
  readonly length: number;
  /** Text after the fence, trimmed. */
  readonly info: string;
  readonly kind: "quote" | "spoiler" | "code";
  /** Whether it contains blocks rather than text. */
  readonly holdsBlocks: boolean;
}

/** Parses the fence at the start of a line; null when there is none. */
export function parseFence(state: StateBlock, line: number): FenceMark | null {
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

/** A fence and the lines that it can span. */
interface OpenFence {
  readonly fence: FenceMark;
  readonly startLine: number;
  readonly endLine: number;
}

/** Finds the line that closes a fence, or the first line after it. */
export function findClosingLine(
  state: StateBlock,
  { fence, startLine, endLine }: OpenFence,
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
