/** Maps the position of each `[` to that of its `]`, ignoring escapes and code spans. */
export function matchBrackets(text: string): ReadonlyMap<number, number> {
  const ends = new Map<number, number>();
  const open: number[] = [];
  const spans = codeSpans(text);
  for (let at = 0; at < text.length; at++) {
    const char = text[at];
    if (char === "\\") at++;
    else if (char === "[") open.push(at);
    else if (char === "]") {
      const start = open.pop();
      if (start !== undefined) ends.set(start, at);
    } else if (char === "`") at = (spans.get(at) ?? runEnd(text, at)) - 1;
  }
  return ends;
}

/** Maps the start of each code span to the end of its closing backticks. */
function codeSpans(text: string): Map<number, number> {
  const spans = new Map<number, number>();
  const next = new Map<number, number>();
  const runs = [...text.matchAll(/`+/g)];
  for (const run of runs.reverse()) {
    const closing = next.get(run[0].length);
    if (closing !== undefined) spans.set(run.index, closing + run[0].length);
    next.set(run[0].length, run.index);
  }
  return spans;
}

function runEnd(text: string, start: number): number {
  let end = start;
  while (text[end] === "`") end++;
  return end;
}
