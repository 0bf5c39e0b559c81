/** One row of the result. */
export interface Row {
  readonly what: string;
  readonly value: string;
  readonly median: string;
  readonly p99: string;
  readonly ratio: string;
  readonly aim: string;
}

const HEADINGS: Row = {
  what: "measured",
  value: "result",
  median: "median",
  p99: "p99",
  ratio: "ratio",
  aim: "aim",
};

/** A row for something that is not a rate. */
export function toPlainRow(what: string, value: string, aim: string): Row {
  return { what, value, median: "", p99: "", ratio: "", aim };
}

/** The rows as a Markdown table with aligned columns. */
export function toTable(rows: readonly Row[]): string {
  const cells = [HEADINGS, ...rows].map(({ what, value, median, p99, ratio, aim }) => {
    return [what, value, median, p99, ratio, aim];
  });
  const widths = HEADINGS_COUNT.map((column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
  const lines = cells.map((row) => {
    const padded = row.map((cell, at) =>
      at === 0 || at === 5 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0)
    );
    return `| ${padded.join(" | ")} |`;
  });
  const rule = `| ${
    widths.map((width, at) => at === 0 || at === 5 ? "-".repeat(width) : "-".repeat(width - 1) + ":").join(
      " | ",
    )
  } |`;
  return ["", lines[0], rule, ...lines.slice(1)].join("\n");
}

const HEADINGS_COUNT = [0, 1, 2, 3, 4, 5];

/** Writes a line to standard output. */
export function printLine(text: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(text + "\n"));
}
