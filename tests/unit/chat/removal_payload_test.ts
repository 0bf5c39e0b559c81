import assert from "node:assert/strict";
import { inRemovals } from "@/lib/chat/notifications/payload.ts";

const numbers = (count: number, from: number) => Array.from({ length: count }, (_, at) => from + at);

Deno.test("inRemovals() puts at most 200 ids into one notification", () => {
  assert.deepEqual(inRemovals([]), []);
  assert.deepEqual(inRemovals([7, 9]), [[7, 9]]);
  assert.deepEqual(inRemovals(numbers(200, 1)), [numbers(200, 1)]);
  assert.deepEqual(inRemovals(numbers(401, 1)).map(({ length }) => length), [200, 200, 1]);
});

Deno.test("inRemovals() leaves room for who and where, however long ids are", () => {
  const ids = numbers(200, 2 ** 53 - 201);
  const removals = inRemovals(ids);
  assert.deepEqual(removals.flat(), ids);
  for (const removal of removals) assert.ok(JSON.stringify(removal).length <= 2001);
});
