import assert from "node:assert/strict";
import { fromJsonForm, toJsonForm } from "@/lib/cli/transfer/value_text.ts";

/** Values of each kind that the store can hold, and those that JSON would change. */
const VALUES: readonly unknown[] = [
  ...["", "text", '\u2028\n"\\', "\ud800", "🌱", true, false, null, undefined],
  ...[0, -0, 1.5, -1e300, 5e-324, NaN, Infinity, -Infinity, Number.MAX_SAFE_INTEGER],
  ...[0n, -(2n ** 80n), 2n ** 80n],
  ...[new Uint8Array(0), new Uint8Array([0, 255, 10]), new Float64Array([1.5, -0, NaN, 1e300])],
  ...[new Date(1_795_443_453_803), new Date(NaN)],
  ...[new Set([1, "1", undefined]), new Map<unknown, unknown>([[{ a: 1 }, new Set()], ["b", 2n]])],
  ...[[], [[undefined]], {}, { a: { b: [1, { c: null }] }, "": 0, 10: "ten", 2: "two" }],
  ...[{ $bytes: "AA==" }, { $: 1, other: 2 }, { $object: [] }, { nested: { $u64: "1" } }],
  JSON.parse('{"__proto__":{"x":1}}'),
];

Deno.test("a value has the same text again after it went through JSON and through the store", async () => {
  using kv = await Deno.openKv(":memory:");
  for (const [at, value] of VALUES.entries()) {
    const text = JSON.stringify(toJsonForm(value));
    const read = fromJsonForm(JSON.parse(text));
    assert.deepStrictEqual(read, value, text);
    await kv.set(["value", at], read);
    const stored = (await kv.get(["value", at])).value;
    assert.deepStrictEqual(stored, value, text);
    assert.equal(JSON.stringify(toJsonForm(stored)), text);
  }
});

Deno.test("counters remain counters, to which the store adds", async () => {
  using kv = await Deno.openKv(":memory:");
  const highest = new Deno.KvU64(2n ** 64n - 1n);
  await kv.set(["count"], fromJsonForm(JSON.parse(JSON.stringify(toJsonForm(highest)))));
  await kv.atomic().sum(["count"], 3n).commit();
  assert.deepEqual((await kv.get(["count"])).value, new Deno.KvU64(2n));
});

Deno.test("values that cannot be written without loss are refused", () => {
  for (const value of [/x/, new Error("x"), new Uint16Array(1), Symbol("x"), () => {}, [1, , 2]]) {
    assert.throws(() => toJsonForm(value), TypeError);
  }
});

Deno.test("texts that no value has are refused", () => {
  const forms: readonly unknown[] = [
    ...[{ $unknown: 1 }, { $bigint: "1.5" }, { $bigint: 1 }, { $u64: "-1" }, { $number: "1" }],
    ...[{ $bytes: "%" }, { $map: [[1]] }, { $set: {} }, { $date: "today" }, {
      toString: { $constructor: 1 },
    }],
  ];
  for (const form of forms) assert.throws(() => fromJsonForm(form), JSON.stringify(form));
});
