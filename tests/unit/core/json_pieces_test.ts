import assert from "node:assert/strict";

import {
  appendMembers,
  countTextBytes,
  isJsonLongerThan,
  JsonList,
  jsonPieces,
  toJsonText,
} from "@/lib/core/json_pieces.ts";

const LONG = "x".repeat(70_000);
const VALUES: readonly object[] = [
  {},
  [],
  { a: 1, b: [true, null, undefined, 'é\u0001"'], c: undefined, 'd"': {} },
  { date: new Date(0), long: LONG },
  Array.from({ length: 5000 }, (_, id) => ({ id, text: `no. ${id}`, none: undefined })),
  { deep: { list: [[LONG, LONG], { LONG }], gap: undefined }, after: [undefined, LONG] },
  [1, [LONG], ...Array.from({ length: 3000 }, () => ["text", null, undefined, []]), LONG, { LONG }, 2],
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

Deno.test("toJsonText() and jsonPieces() insert texts that exist", () => {
  const values = [{ id: 1, text: 'é"' }, [LONG], { id: 2 }];
  for (const count of [0, 1, 3]) {
    const plain = { first: 1, gap: undefined, list: values.slice(0, count), last: [null] };
    const whole = { ...plain, list: new JsonList(plain.list.map((value) => JSON.stringify(value))) };
    assert.equal(toJsonText(whole), JSON.stringify(plain));
    assert.equal([...jsonPieces(whole)].join(""), JSON.stringify(plain));
    assert.equal(JSON.stringify(whole), JSON.stringify(plain));
    assert.equal(isJsonLongerThan(whole, 1000), count > 1);
  }
});

Deno.test("countTextBytes() counts bytes of UTF-8", () => {
  assert.equal(countTextBytes("é漢😀\u0001"), new TextEncoder().encode("é漢😀\u0001").length);
});

Deno.test("appendMembers() adds members to the text of an object, after its own", () => {
  const text = JSON.stringify({ id: 1, name: '}"' });
  assert.equal(appendMembers(text, { list: [2] }), JSON.stringify({ id: 1, name: '}"', list: [2] }));
});

Deno.test("a text of a JsonList may hold several values", () => {
  const list = new JsonList(['{"a":1},{"b":2}', "3"]);
  assert.equal(toJsonText({ list }), '{"list":[{"a":1},{"b":2},3]}');
  assert.equal(JSON.stringify({ list }), '{"list":[{"a":1},{"b":2},3]}');
});
