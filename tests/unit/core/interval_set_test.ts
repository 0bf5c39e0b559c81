import assert from "node:assert/strict";
import { GREATEST, IntervalSet } from "@/lib/core/interval_set.ts";

Deno.test("an interval set joins intervals that overlap or touch", () => {
  const set = IntervalSet.of(1, 3).add(10, 12).add(4).add(11, 20);
  assert.deepEqual(set.bounds, [1, 4, 10, 20]);
  assert.deepEqual([...set.intervals()], [{ from: 1, to: 4 }, { from: 10, to: 20 }]);
  assert.deepEqual([set.first, set.last], [1, 20]);
});

Deno.test("an interval set splits where numbers are removed", () => {
  assert.deepEqual(IntervalSet.of(1, 9).remove(4, 5).bounds, [1, 3, 6, 9]);
  assert.ok(IntervalSet.of(4, 5).remove(1, 9).isEmpty);
});

Deno.test("an interval set accepts single numbers in any order", () => {
  assert.deepEqual(IntervalSet.from([5, 1, 2, 5, 3, 9]).bounds, [1, 3, 5, 5, 9, 9]);
  assert.deepEqual(IntervalSet.from([]).bounds, []);
});

Deno.test("an interval that ends before it begins is empty", () => {
  assert.ok(IntervalSet.of(5, 4).isEmpty);
  assert.deepEqual(IntervalSet.of(1, 9).remove(7, 2).bounds, [1, 9]);
});

Deno.test("within() returns the numbers of a range", () => {
  const set = IntervalSet.from([1, 2, 3, 7, 8]);
  assert.deepEqual(set.within(2, 7).bounds, [2, 3, 7, 7]);
  assert.deepEqual(set.within(4, 6).bounds, []);
});

Deno.test("a change without effect returns the same set", () => {
  const set = IntervalSet.of(1, 9).add(20, 30);
  assert.equal(set.add(2, 5), set);
  assert.equal(set.remove(10, 19), set);
  assert.equal(set.union(IntervalSet.empty), set);
});

Deno.test("an interval may have no end", () => {
  const set = IntervalSet.of(100, GREATEST);
  assert.ok(set.has(GREATEST) && !set.has(99));
  assert.deepEqual(set.remove(200, GREATEST).bounds, [100, 199]);
  assert.deepEqual(IntervalSet.parse(set.serialize()).bounds, [100, GREATEST]);
  assert.deepEqual(IntervalSet.of(0, GREATEST).subtract(IntervalSet.of(0, GREATEST)).bounds, []);
});

Deno.test("100,000 consecutive numbers take a few bytes", () => {
  assert.ok(IntervalSet.of(5_000_000, 5_100_000).serialize().length <= 8);
  assert.equal(IntervalSet.empty.serialize().length, 0);
});

Deno.test("numbers outside the range are refused", () => {
  for (const number of [-1, 0.5, NaN, Infinity, GREATEST + 1]) {
    assert.throws(() => IntervalSet.of(number, Infinity), RangeError, String(number));
    assert.throws(() => IntervalSet.from([number]), RangeError, String(number));
  }
});

Deno.test("IntervalSet.parse() refuses invalid bytes", () => {
  const cutOff = [0x81];
  const withoutEnd = [0x01];
  const tooGreat = new Array<number>(9).fill(0xff);
  const endless = new Array<number>(400).fill(0x80);
  const beyondTheRange = [...IntervalSet.of(1, GREATEST).serialize(), 0x00, 0x00];
  for (const bytes of [cutOff, withoutEnd, tooGreat, endless, beyondTheRange]) {
    assert.throws(() => IntervalSet.parse(new Uint8Array(bytes)), RangeError, String(bytes));
  }
});

Deno.test("firstWithout() returns the first of the numbers that subtract() leaves", () => {
  const sets = Array.from(
    { length: 64 },
    (_, bits) => IntervalSet.from([0, 1, 2, 3, 4, 5].filter((at) => bits >> at & 1)),
  );
  for (const one of sets) {
    for (const other of sets) {
      for (const upTo of [1, 5]) {
        assert.equal(one.firstWithout(other, upTo), one.subtract(other).within(0, upTo).first);
      }
    }
  }
  assert.equal(IntervalSet.of(3, GREATEST).firstWithout(IntervalSet.of(0, GREATEST), GREATEST), undefined);
});
