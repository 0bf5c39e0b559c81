/** Returns a Markdown table with aligned columns: the first to the left, the others to the right. */
export function toMarkdownTable(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const table = [headings, ...rows];
  const widths = headings.map((_, column) => Math.max(...table.map((row) => (row[column] ?? "").length), 3));
  const toLine = (row: readonly string[]) =>
    `| ${
      widths.map((width, column) => {
        const cell = row[column] ?? "";
        return column === 0 ? cell.padEnd(width) : cell.padStart(width);
      }).join(" | ")
    } |`;
  const rule = widths.map((width, column) => column === 0 ? "-".repeat(width) : `${"-".repeat(width - 1)}:`);
  return [toLine(headings), toLine(rule), ...rows.map(toLine)].join("\n");
}

/** Returns the value below which a share of the values lies; NaN without values. */
export function quantileOf(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN;
}
