/** Cells that spreadsheets would evaluate; they get an apostrophe in front. */
const FORMULA = /^[\s]*[=+\-@\t\r]/;

/** Returns a CSV file as a download; `rows` are cells in the order of the titles. */
export function toCsvFile(
  filename: string,
  titles: readonly string[],
  rows: readonly (readonly string[])[],
): Response {
  const body = [titles, ...rows].map((cells) => cells.map(toCell).join(",")).join("\r\n");
  return new Response(`${body}\r\n`, {
    headers: {
      "content-type": "text/csv; charset=utf-8",
      "content-disposition": `attachment; filename="${filename}"`,
      "cache-control": "no-store",
    },
  });
}

/** Quotes a cell so that no spreadsheet evaluates it. */
function toCell(text: string): string {
  const plain = FORMULA.test(text) ? `'${text}` : text;
  return `"${plain.replaceAll('"', '""')}"`;
}
