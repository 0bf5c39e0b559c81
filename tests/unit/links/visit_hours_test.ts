import assert from "node:assert/strict";
import { migrate } from "@/lib/store/migrate.ts";
import { readRecord } from "@/lib/store/key.ts";
import { checkLinks } from "@/lib/links/check.ts";
import { linkKeys } from "@/lib/links/store.ts";
import { countVisitHours, listVisitHours } from "@/lib/links/stats.ts";
import { startVisitHours } from "@/lib/links/migrations.ts";
import { MIGRATIONS } from "@/lib/services/migrations.ts";
import { openTestStore } from "@/tests/helpers/store.ts";
import { createVisitProcess } from "@/tests/helpers/visits.ts";

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

Deno.test("visits of several hours in one batch are counted in their hours, and the check compares the sums", async () => {
  using store = await openTestStore();
  const { visits } = createVisitProcess(store);
  const times = [FROM - 1, FROM, FROM + 1, FROM + HOUR - 1, FROM + HOUR, FROM + 5 * HOUR];
  await Promise.all(times.map((at, index) => visits.submit({ short: `s${index % 2}`, at })));
  const expected = {
    hours: [{ time: FROM, count: 3 }, { time: FROM + HOUR, count: 1 }],
    since: null,
  };
  const period = { from: FROM, to: FROM + 5 * HOUR };
  assert.deepEqual(await listVisitHours(store.kv, period), expected);
  const hourProblems = async () =>
    (await checkLinks(store.kv)).problems.filter((problem) => problem.includes("visits of hour"));
  assert.deepEqual(await hourProblems(), []);
  await createVisitProcess(store).compactor.catchUp();
  assert.deepEqual(await listVisitHours(store.kv, period), expected);
  assert.deepEqual(await hourProblems(), []);
  await store.kv.atomic().sum(linkKeys.visitHour(1001), 1n).commit();
  await store.kv.delete(linkKeys.visitHour(1005));
  assert.deepEqual(await hourProblems(), [
    "The visits of hour 1001: 2 is stored; it should be 1.",
    "The visits of hour 1005: 0 is stored; it should be 1.",
  ]);
});

Deno.test("a store with visits counts them by hour from the first whole hour after its migration", async () => {
  using store = await openTestStore();
  const { kv } = store;
  await kv.atomic().set(linkKeys.visits("s", FROM, "a"), Float64Array.of(FROM)).sum(linkKeys.visitCount(), 1n)
    .sum(linkKeys.visitDay(41), 1n).commit();
  await kv.set(["schema_version"], 3);
  await migrate(store, MIGRATIONS);
  const since = await readRecord<number>(kv, linkKeys.visitHoursSince) ?? assert.fail("no hour is stored");
  // A step that runs again after an interruption, or in another process, changes nothing.
  await kv.set(linkKeys.visitHoursSince, since - 2);
  await Promise.all([startVisitHours(store), startVisitHours(store)]);
  assert.equal(await readRecord(kv, linkKeys.visitHoursSince), since - 2);
  await kv.set(linkKeys.visitHoursSince, since);

  const start = since * HOUR;
  const { visits } = createVisitProcess(store);
  // A visit of the hour of the migration, whose sum is not complete, and one of the next hour.
  for (const at of [start - 1, start]) await visits.submit({ short: "s", at });
  assert.deepEqual(await listVisitHours(kv, { from: start - 2 * HOUR, to: start + HOUR }), {
    hours: [{ time: start, count: 1 }],
    since: start,
  });
  assert.deepEqual(await listVisitHours(kv, { from: start, to: start + HOUR }), {
    hours: [{ time: start, count: 1 }],
    since: null,
  });
  assert.deepEqual(await listVisitHours(kv, { from: start - 9 * HOUR, to: start - 8 * HOUR }), {
    hours: [],
    since: start,
  });
  assert.deepEqual(
    (await checkLinks(kv)).problems.filter((problem) => problem.includes("visits of hour")),
    [],
  );
});

Deno.test("a store without visits counts all of them by hour", async () => {
  using store = await openTestStore();
  await startVisitHours(store);
  assert.equal(await readRecord(store.kv, linkKeys.visitHoursSince), null);
});
