import type { Result } from "./compare.ts";
import type { Measured } from "./wrk.ts";

/** One row of the result. */
export interface Row {
  readonly what: string;
  readonly value: string;
  readonly median: string;
  readonly p99: string;
  readonly ratio: string;
  readonly aim: string;
}

const COLUMNS = ["what", "value", "median", "p99", "ratio", "aim"] as const;
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

/** A row for a rate, with nothing to compare it with. */
export function toRateRow(what: string, aim: string, { rate, median, p99 }: Measured): Row {
  return {
    what,
    value: `${Math.round(rate)} /s`,
    median: `${median.toFixed(2)} ms`,
    p99: `${p99.toFixed(2)} ms`,
    ratio: "",
    aim,
  };
}

/** One row for each contender; the ratios are to the first. */
export function toRateRows(what: string, aim: string, results: readonly Result[]): Row[] {
  return results.map((result, at) => ({
    ...toRateRow(`${what}: ${result.name}`, at === 0 ? "" : aim, result),
    ratio: at === 0 ? "1" : result.ratio.toFixed(2),
  }));
}

/** A row for durations in milliseconds. */
export function toTimeRow(what: string, times: readonly number[], aim: string): Row {
  const sorted = times.toSorted((one, other) => one - other);
  const at = (share: number) =>
    `${(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN).toFixed(1)} ms`;
  return { what, value: "", median: at(0.5), p99: at(0.99), ratio: "", aim };
}

/** The rows as a Markdown table with aligned columns: words to the left, numbers to the right. */
export function toTable(rows: readonly Row[]): string {
  const table = [HEADINGS, ...rows];
  const columns = COLUMNS.map((name) => {
    const width = Math.max(...table.map((row) => row[name].length));
    const isNumber = name !== "what" && name !== "aim";
    const cells = table.map((row) => isNumber ? row[name].padStart(width) : row[name].padEnd(width));
    return cells.toSpliced(1, 0, isNumber ? "-".repeat(width - 1) + ":" : "-".repeat(width));
  });
  const lines = Array.from(
    { length: table.length + 1 },
    (_, at) => columns.map((cells) => cells[at]).join(" | "),
  );
  return lines.map((line) => `| ${line} |`).join("\n");
}

/** Writes a line to standard output. */
export function printLine(text: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(text + "\n"));
}
