import assert from "node:assert/strict";
import { checkLinks } from "@/lib/links/check.ts";
import { readRanks } from "@/lib/links/visit_log.ts";
import { logByWriter } from "@/lib/links/migrations.ts";
import type { Store } from "@/lib/store/open.ts";
import { failingFrom, openTestStore } from "@/tests/helpers/store.ts";
import { createVisitProcess } from "@/tests/helpers/visits.ts";

const DAY = 86_400_000;
/** Links with two visits each: one in a journal, one in a merged journal. */
const SHORTS = Array.from({ length: 40 }, (_, at) => `s${at}`);

/** Writes links and visits in the format of version 0.5.0, before its ranking has read the journals. */
async function fillStore(store: Store): Promise<void> {
  const part = (short: string, last: number) => ({ short, day: 1, count: 1, last });
  for (const short of SHORTS) {
    await store.kv.atomic().set(["link", short], { url: "https://example.com/", createdAt: DAY })
      .set(["visit", short, DAY, "b"], Float64Array.of(DAY, DAY + 1))
      .sum(["visit_count", short], 2n).sum(["visit_count"], 2n).sum(["visit_day", 1], 2n)
      .sum(["visit_hour", 24], 2n).commit();
  }
  await store.kv.set(["visit_journal", DAY, "b"], SHORTS.map((short) => part(short, DAY)));
  for (const [number, short] of SHORTS.entries()) {
    await store.kv.set(["visit_merged", "batch", number], [part(short, DAY + 1)]);
  }
  await store.kv.set(["link_rank_step"], "batch");
  await store.kv.set(["schema_version"], 3);
}

async function findProblems(store: Store): Promise<string[]> {
  const { problems } = await checkLinks(store.kv);
  return problems.filter((problem) => /visits/.test(problem));
}

Deno.test("journals of version 0.5.0 reach the ranking, also when two processes migrate", async () => {
  using store = await openTestStore();
  await fillStore(store);
  await Promise.all([logByWriter(store, 3), logByWriter(store, 3)]);
  assert.deepEqual(await findProblems(store), []);
  const expected = new Map(SHORTS.map((short) => [short, { count: 2, last: DAY + 1 }]));
  assert.deepEqual(await readRanks(store.kv, SHORTS), expected);
  await createVisitProcess(store).compactor.catchUp();
  assert.deepEqual(await readRanks(store.kv, SHORTS), expected);
  assert.deepEqual(await findProblems(store), []);
  for (const prefix of ["visit_merged", "visit_journal", "link_rank_step"]) {
    assert.deepEqual(await Array.fromAsync(store.kv.list({ prefix: [prefix] })), []);
  }
});

Deno.test("an interrupted migration continues where it ended", async () => {
  for (let commits = 0; commits < 4; commits++) {
    using store = await openTestStore();
    await fillStore(store);
    await logByWriter(failingFrom(store, commits), 3).catch(() => {});
    await logByWriter(store, 3);
    assert.deepEqual(await findProblems(store), []);
  }
});

Deno.test("a process writes nothing when another one has completed the migration", async () => {
  using store = await openTestStore();
  await fillStore(store);
  await store.kv.set(["schema_version"], 17);
  await logByWriter(store, 3);
  assert.deepEqual(await readRanks(store.kv, SHORTS), new Map());
});
