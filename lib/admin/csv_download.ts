import { stringify } from "csv-stringify/sync";
import { yieldToEventLoop } from "@/lib/core/yield_to_event_loop.ts";

/** A file of comma-separated values. */
export interface CsvFile {
  readonly name: string;
  /** The first row. */
  readonly columns: readonly string[];
  readonly rows: Iterable<readonly string[]>;
}

/** Number of rows that are written at a time; the event loop takes its turn between them. */
const SLICE = 500;

/** Returns a CSV file as a download; cells that spreadsheets would evaluate get an apostrophe in front. */
export function toCsvDownload({ name, columns, rows }: CsvFile): Response {
  const slices = writeSlices(columns, rows[Symbol.iterator]());
  return new Response(ReadableStream.from(slices).pipeThrough(new TextEncoderStream()), {
    headers: {
      "content-type": "text/csv; charset=utf-8",
      "content-disposition": `attachment; filename="${name}"`,
      "cache-control": "no-store",
    },
  });
}

async function* writeSlices(
  columns: readonly string[],
  rows: Iterator<readonly string[]>,
): AsyncGenerator<string> {
  // A byte order mark, without which spreadsheets guess the encoding.
  yield `\ufeff${write([columns])}`;
  for (let slice = take(rows); slice.length > 0; slice = take(rows)) {
    yield write(slice);
    await yieldToEventLoop();
  }
}

function take(rows: Iterator<readonly string[]>): (readonly string[])[] {
  const slice: (readonly string[])[] = [];
  while (slice.length < SLICE) {
    const { done, value } = rows.next();
    if (done === true) break;
    slice.push(value);
  }
  return slice;
}

function write(rows: readonly (readonly string[])[]): string {
  return stringify(rows.map((row) => [...row]), { escape_formulas: true, record_delimiter: "windows" });
}
