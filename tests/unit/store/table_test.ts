import assert from "node:assert/strict";
import { derived, Table } from "@/lib/store/table.ts";
import fc, { numberOfRuns } from "@/tests/helpers/fast_check.ts";

Deno.test("a table is as a map with the same changes, and earlier tables stay as they were", () => {
  const change = fc.tuple(fc.nat({ max: 300 }), fc.option(fc.nat(), { nil: undefined }));
  fc.assert(
    fc.property(fc.array(change, { maxLength: 400 }), (changes) => {
      const map = new Map<number, number>();
      let table = Table.of<number>(new Map());
      const first = table;
      for (const [id, row] of changes) {
        const before = table;
        const entries = before.entries();
        table = table.with(id, row);
        assert.equal(before.entries(), entries);
        if (row === undefined) map.delete(id);
        else map.set(id, row);
        assert.equal(table.get(id), row);
      }
      assert.deepEqual(table.entries(), [...map].sort(([one], [other]) => one - other));
      assert.deepEqual([table.size, first.size], [map.size, 0]);
    }),
    numberOfRuns(30),
  );
});

Deno.test("derived() builds a result once for each object", () => {
  let built = 0;
  const count = derived((rows: readonly number[]) => ({ nth: ++built, length: rows.length }));
  const [one, other] = [[1, 2], [1, 2]];
  assert.equal(count(one), count(one));
  assert.deepEqual([count(one), count(other)], [{ nth: 1, length: 2 }, { nth: 2, length: 2 }]);
});
