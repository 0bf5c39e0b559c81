import assert from "node:assert/strict";
import { countJsonBytes } from "@/lib/core/json_size.ts";
import { isJsonLongerThan, jsonPieces } from "@/lib/core/json_pieces.ts";

const LONG = "x".repeat(70_000);
const VALUES: readonly object[] = [
  {},
  [],
  { a: 1, b: [true, null, undefined, 'é\u0001"'], c: undefined, 'd"': {} },
  { date: new Date(0), long: LONG },
  Array.from({ length: 5000 }, (_, id) => ({ id, text: `no. ${id}`, none: undefined })),
  { deep: { list: [[LONG, LONG], { LONG }], gap: undefined }, after: [undefined, LONG] },
];

Deno.test("jsonPieces() yields the text of JSON.stringify()", () => {
  for (const value of VALUES) assert.equal([...jsonPieces(value)].join(""), JSON.stringify(value));
});

Deno.test("jsonPieces() divides a long value into pieces of similar length", () => {
  const pieces = [...jsonPieces({ items: Array.from({ length: 1000 }, () => "y".repeat(1000)) })];
  assert.ok(pieces.length > 10);
  for (const piece of pieces) assert.ok(piece.length < 70_000);
});

Deno.test("isJsonLongerThan() compares the length of texts, names and nested values", () => {
  assert.equal(isJsonLongerThan({ a: "x".repeat(100) }, 200), false);
  assert.equal(isJsonLongerThan({ a: "x".repeat(100) }, 100), true);
  assert.equal(isJsonLongerThan({ a: [{ b: "x".repeat(100) }] }, 100), true);
  assert.equal(isJsonLongerThan(Array.from({ length: 100 }, () => 1), 200), true);
});

Deno.test("countJsonBytes() counts bytes of UTF-8", () => {
  assert.equal(countJsonBytes({ a: "é漢😀\u0001" }), new TextEncoder().encode('{"a":"é漢😀\\u0001"}').length);
});
