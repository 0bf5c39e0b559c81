import assert from "node:assert/strict";
import { linkKeys } from "@/lib/links/store.ts";
import { countVisitHours } from "@/lib/links/visit_hours.ts";
import { openTestStore } from "@/tests/helpers/store.ts";

const HOUR = 3_600_000;
const FROM = 1000 * HOUR;

Deno.test("countVisitHours() counts the stored times within a range, also those of pages that begin before", async () => {
  using store = await openTestStore();
  const write = (times: readonly number[], batch: string) =>
    store.kv.set(linkKeys.visits("s", times[0] ?? 0, batch), Float64Array.from(times));
  await write([FROM - 2 * HOUR, FROM - 1, FROM, FROM + 5], "page");
  await write([FROM + HOUR], "a");
  await write([FROM + HOUR, FROM + 2 * HOUR - 1, FROM + 2 * HOUR], "b");
  await write([FROM + 3 * HOUR], "late");
  await store.kv.set(linkKeys.visits("other", FROM, "x"), Float64Array.of(FROM));
  const { hours, since } = await countVisitHours(store.kv, "s", { from: FROM, to: FROM + 3 * HOUR });
  assert.deepEqual(hours.toSorted((one, other) => one.time - other.time), [
    { time: FROM, count: 2 },
    { time: FROM + HOUR, count: 3 },
    { time: FROM + 2 * HOUR, count: 1 },
  ]);
  assert.equal(since, null);
});

Deno.test("countVisitHours() reports since when it counts if there are too many entries", async () => {
  using store = await openTestStore();
  for (let at = 0; at < 250; at++) {
    const time = FROM + at * 60_000;
    await store.kv.set(linkKeys.visits("s", time, "a"), Float64Array.of(time));
  }
  const { hours, since } = await countVisitHours(store.kv, "s", { from: FROM, to: FROM + 250 * 60_000 });
  assert.equal(since, FROM + 50 * 60_000);
  assert.equal(hours.reduce((sum, { count }) => sum + count, 0), 200);
});
