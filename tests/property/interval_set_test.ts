import assert from "node:assert/strict";
import fc from "@/tests/helpers/fast_check.ts";
import { IntervalSet } from "@/lib/core/interval_set.ts";

/** Small enough that intervals meet in every way. */
const LIMIT = 30;
const ALL = Array.from({ length: LIMIT + 1 }, (_, number) => number);
const number = fc.integer({ min: 0, max: LIMIT });
const numbers = fc.array(number, { maxLength: 20, size: "max" });

/** Asserts that the intervals ascend and do not touch, so that equal sets have equal bounds. */
function assertCanonical({ bounds }: IntervalSet): void {
  assert.equal(bounds.length % 2, 0);
  for (const [at, bound] of bounds.entries()) {
    const before = bounds[at - 1] ?? -2;
    assert.ok(Number.isSafeInteger(bound) && bound >= (at % 2 === 0 ? before + 2 : before), `${bounds}`);
  }
}

/** Returns the numbers of a canonical set. */
function numbersOf(set: IntervalSet): number[] {
  assertCanonical(set);
  return [...set.intervals()].flatMap(({ from, to }) =>
    ALL.filter((number) => from <= number && number <= to)
  );
}

function range(from: number, to: number): number[] {
  return ALL.filter((number) => from <= number && number <= to);
}

Deno.test("any changes of an interval set have the same result as on a naive set", () => {
  const change = fc.record({ isAdded: fc.boolean(), from: number, to: number });
  fc.assert(fc.property(fc.array(change, { maxLength: 30, size: "max" }), (changes) => {
    let set = IntervalSet.empty;
    const naive = new Set<number>();
    for (const { isAdded, from, to } of changes) {
      const before = [...set.bounds];
      const after = isAdded ? set.add(from, to) : set.remove(from, to);
      assert.deepEqual(set.bounds, before);
      set = after;
      for (const each of range(from, to)) isAdded ? naive.add(each) : naive.delete(each);
      assert.deepEqual(numbersOf(set), ALL.filter((each) => naive.has(each)));
    }
  }));
});

Deno.test("any two interval sets combine like naive sets", () => {
  fc.assert(fc.property(numbers, numbers, (left, right) => {
    const [a, b] = [IntervalSet.from(left), IntervalSet.from(right)];
    const [naiveA, naiveB] = [new Set(left), new Set(right)];
    const sorted = (set: Set<number>) => [...set].sort((x, y) => x - y);
    assert.deepEqual(numbersOf(a.union(b)), sorted(naiveA.union(naiveB)));
    assert.deepEqual(numbersOf(a.intersect(b)), sorted(naiveA.intersection(naiveB)));
    assert.deepEqual(numbersOf(a.subtract(b)), sorted(naiveA.difference(naiveB)));
    assert.equal(a.equals(b), naiveA.symmetricDifference(naiveB).size === 0);
  }));
});

Deno.test("any query of an interval set returns the same as on a naive set", () => {
  fc.assert(fc.property(numbers, number, number, (given, from, to) => {
    const [set, naive] = [IntervalSet.from(given), new Set(given)];
    for (const each of ALL) assert.equal(set.has(each), naive.has(each));
    const inside = range(from, to).filter((each) => naive.has(each));
    assert.equal(set.isEmpty, naive.size === 0);
    assert.deepEqual(numbersOf(set.within(from, to)), inside);
  }));
});

Deno.test("any interval set survives serialization", () => {
  const anywhere = fc.array(fc.maxSafeNat(), { maxLength: 30, size: "max" });
  fc.assert(fc.property(anywhere, numbers, (far, near) => {
    const set = IntervalSet.from([...far, ...near]);
    assert.ok(IntervalSet.parse(set.serialize()).equals(set));
  }));
});

Deno.test("any bytes are parsed as a set or refused with a RangeError", () => {
  fc.assert(fc.property(fc.uint8Array({ maxLength: 40, size: "max" }), (bytes) => {
    try {
      assertCanonical(IntervalSet.parse(bytes));
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
    }
  }));
});
