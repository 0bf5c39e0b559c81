import assert from "node:assert/strict";
import { parse } from "csv-parse/sync";
import fc from "@/tests/helpers/fast_check.ts";
import { readCell, toCsvDownload, writeCsv } from "@/lib/admin/csv.ts";
import { readSources } from "@/tests/helpers/sources.ts";

/** Cells as they are stored: without blanks around them, and without the apostrophe that exports add. */
const cell = fc.string({ unit: fc.constantFrom(..."a é日=+-@＝\"',;\n"), maxLength: 6 })
  .filter((text) => text === text.trim() && !text.startsWith("'"));
const rows = fc.array(fc.tuple(cell, cell), { maxLength: 8 });

Deno.test("writeCsv() writes cells that no spreadsheet evaluates, and readCell() restores them", async () => {
  await fc.assert(fc.asyncProperty(rows, async (rows) => {
    const text = (await Array.fromAsync(writeCsv({ columns: ["a", "b"], rows }))).join("");
    const [head, ...read]: string[][] = parse(text, { bom: true, record_delimiter: "\r\n" });
    assert.deepEqual(head, ["a", "b"]);
    for (const shown of read.flat()) assert.doesNotMatch(shown, /^[=+\-@＝]/);
    assert.deepEqual(read.map((cells) => cells.map(readCell)), rows);
  }));
  const hostile = ["  =1", "\t=1", "\r1", "a\r=1", "=1"];
  const text = (await Array.fromAsync(writeCsv({ columns: hostile, rows: [] }))).join("");
  assert.deepEqual(parse(text, { bom: true }), [
    hostile.map((cell) => cell.startsWith("a") ? cell : `'${cell}`),
  ]);
});

Deno.test("toCsvDownload() begins with a byte order mark, and writes any number of rows", async () => {
  const rows = Array.from({ length: 1200 }, (_, at) => [String(at), "Jürgen"]);
  const bytes = await toCsvDownload({ name: "a.csv", columns: ["n", "name"], rows }).bytes();
  assert.deepEqual([...bytes.subarray(0, 3)], [0xef, 0xbb, 0xbf]);
  const lines = new TextDecoder().decode(bytes).split("\r\n");
  assert.deepEqual([lines.length, lines[0], lines[1200]], [1202, "n,name", "1199,Jürgen"]);
});

Deno.test("CSV files are written in one place", () => {
  const writers = readSources().filter(({ text }) => /csv-stringify|"text\/csv/.test(text));
  const known = ["lib/admin/csv.ts"];
  assert.deepEqual(writers.map(({ path }) => path), known);
});
