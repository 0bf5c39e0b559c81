import assert from "node:assert/strict";
import { BulkWriter } from "@/lib/store/bulk_writer.ts";
import { openStore } from "@/lib/store/open.ts";
import { onEachTurn } from "@/tests/helpers/event_loop.ts";

const COUNT = 6000;
/** Entries of a listing between two turns of the event loop, at most, with the entry that waits for the turn. */
const MAX_BETWEEN = 501;

Deno.test("a long listing lets the event loop take its turn", async () => {
  using store = await openStore(":memory:");
  const writer = new BulkWriter(store.kv);
  for (let at = 0; at < COUNT; at++) await writer.set(["list", at], at, 20);
  await writer.flush();
  const values: unknown[] = [];
  let [before, most] = [0, 0];
  const list = async () => {
    for await (const { value } of store.kv.list({ prefix: ["list"] }, { batchSize: 500 })) values.push(value);
  };
  await onEachTurn(() => {
    most = Math.max(most, values.length - before);
    before = values.length;
  }, list);
  assert.deepEqual(values, Array.from({ length: COUNT }, (_, at) => at));
  assert.ok(most <= MAX_BETWEEN, `${most} entries without a turn`);
});
