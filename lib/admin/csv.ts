import { stringify } from "csv-stringify/sync";
import { yieldToEventLoop } from "@/lib/core/yield_to_event_loop.ts";

/** Cells of a row, in the order of the columns. */
type Cells = readonly string[];

/** A file of comma-separated values. */
interface CsvFile {
  readonly name: string;
  /** The first row. */
  readonly columns: Cells;
  readonly rows: Iterable<Cells> | AsyncIterable<Cells>;
}

/** Number of rows that are written at a time; the event loop takes its turn between them. */
const SLICE = 500;

/** Cells that spreadsheets would evaluate, also after blanks and in full-width characters. */
const FORMULA = /^\s*[=+\-@\t\r＝＋－＠]/;

/** Returns a CSV file as a download. */
export function toCsvDownload({ name, ...table }: CsvFile): Response {
  return toDownload(name, "text/csv; charset=utf-8", writeCsv(table));
}

/** Returns pieces of a text as a download of a content type. */
export function toDownload(
  name: string,
  type: string,
  pieces: Iterable<string> | AsyncIterable<string>,
): Response {
  return new Response(ReadableStream.from(pieces).pipeThrough(new TextEncoderStream()), {
    headers: {
      "content-type": type,
      "content-disposition": `attachment; filename="${name}"`,
      "cache-control": "no-store",
    },
  });
}

/** Yields a CSV file in pieces; cells that spreadsheets would evaluate get an apostrophe in front. */
export async function* writeCsv({ columns, rows }: Omit<CsvFile, "name">): AsyncGenerator<string> {
  // A byte order mark, without which spreadsheets guess the encoding.
  yield `\ufeff${write([columns])}`;
  let slice: Cells[] = [];
  for await (const row of rows) {
    if (slice.push(row) < SLICE) continue;
    yield write(slice);
    slice = [];
    await yieldToEventLoop();
  }
  if (slice.length > 0) yield write(slice);
}

function write(rows: readonly Cells[]): string {
  const string = (cell: string) => FORMULA.test(cell) ? `'${cell}` : cell;
  // Spreadsheets begin a row after a single carriage return, and some a cell after a semicolon or tab.
  const options = { cast: { string }, quoted_match: /[\r;\t]/, record_delimiter: "windows" } as const;
  return stringify(rows.map((row) => [...row]), options);
}

/** Returns a cell of an imported file without blanks around it and the apostrophe that exports add. */
export function readCell(cell: string): string {
  const text = cell.trim();
  return text.startsWith("'") && FORMULA.test(text.slice(1)) ? text.slice(1) : text;
}
