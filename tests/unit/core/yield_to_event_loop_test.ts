import assert from "node:assert/strict";
import { mapInSlices } from "@/lib/core/yield_to_event_loop.ts";
import { onEachTurn } from "@/tests/helpers/event_loop.ts";

Deno.test("mapInSlices() converts all values in order", async () => {
  for (const count of [0, 1, 2, 3, 4]) {
    const values = Array.from({ length: count }, (_, at) => at);
    assert.deepEqual(await mapInSlices(values, (value) => value * 2, 2), values.map((value) => value * 2));
  }
});

Deno.test("mapInSlices() lets the event loop take its turn between slices only", async () => {
  let turns = 0;
  await onEachTurn(() => turns++, async () => {
    const atOnce = await mapInSlices([1, 2], () => turns, 2);
    assert.deepEqual(atOnce, [0, 0]);
    const [first = 0, second, third = 0] = await mapInSlices([1, 2, 3], () => turns, 2);
    assert.equal(second, first);
    assert.ok(third > first);
  });
});

Deno.test("mapInSlices() converts one slice in a turn, also where several callers convert at once", async () => {
  let turns = 0;
  const turnsOfSlices: number[] = [];
  await onEachTurn(() => turns++, async () => {
    const convertInTwoSlices = () =>
      mapInSlices([1, 2], (value) => {
        if (value === 2) turnsOfSlices.push(turns);
      }, 1);
    await Promise.all([convertInTwoSlices(), convertInTwoSlices(), convertInTwoSlices()]);
  });
  assert.equal(new Set(turnsOfSlices).size, 3);
});
