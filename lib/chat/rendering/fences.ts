import type { StateBlock } from "markdown-it";

/** The first line of a fenced block. */
export interface FenceMark {
  readonly char: string;
  readonly length: number;
  /** What follows the fence, trimmed. */
  readonly info: string;
  readonly kind: "quote" | "spoiler" | "code";
  /** Whether there are blocks inside rather than text. */
  readonly holdsBlocks: boolean;
}

/** The fence that a line starts with, or null. */
export function readFence(state: StateBlock, line: number): FenceMark | null {
  const indent = (state.sCount[line] ?? 0) - state.blkIndent;
  const start = (state.bMarks[line] ?? 0) + (state.tShift[line] ?? 0);
  const char = state.src.charAt(start);
  if (indent < 0 || indent >= 4 || (char !== "`" && char !== "~")) return null;
  const end = state.eMarks[line] ?? start;
  let after = start;
  while (after < end && state.src[after] === char) after++;
  const info = state.src.slice(after, end).trim();
  if (after - start < 3 || (char === "`" && info.includes("`"))) return null;
  const kind = /^quote(?:d)?$/.test(info) ? "quote" : /^spoiler(?:\s|$)/.test(info) ? "spoiler" : "code";
  return { char, length: after - start, info, kind, holdsBlocks: kind !== "code" };
}

/** Where a fenced block starts, and where it must end at the latest. */
interface Opening {
  readonly fence: FenceMark;
  readonly startLine: number;
  readonly endLine: number;
}

/** The line that closes a fence, or the first one that is no more of it. */
export function closingLine(
  state: StateBlock,
  { fence, startLine, endLine }: Opening,
): { line: number; isClosed: boolean } {
  const open = [fence];
  let line = startLine + 1;
  for (; line < endLine; line++) {
    if ((state.sCount[line] ?? 0) < state.blkIndent && !state.isEmpty(line)) break;
    const mark = readFence(state, line);
    const top = open.at(-1);
    if (mark === null || top === undefined) continue;
    const closes = mark.info === "" && mark.char === top.char && mark.length >= top.length;
    if (closes) open.pop();
    else if (top.holdsBlocks) open.push(mark);
    if (open.length === 0) return { line, isClosed: true };
  }
  return { line, isClosed: false };
}
