import type { AtomicOperation } from "@/lib/store/kv.ts";
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

/** Writes links and visits in the format of version 9, before its ranking has read the journals. */
async function fillVersion9(store: Store): Promise<void> {
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
  await store.kv.set(["schema_version"], 16);
}

async function findProblems(store: Store): Promise<string[]> {
  const { problems } = await checkLinks(store.kv);
  return problems.filter((problem) => /visits/.test(problem));
}

Deno.test("journals of version 9 reach the ranking, also when two processes migrate", async () => {
  using store = await openTestStore();
  await fillVersion9(store);
  await Promise.all([logByWriter(store, 16), logByWriter(store, 16)]);
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
  using store = await openTestStore();
  await fillVersion9(store);
  await store.kv.atomic().delete(["visit_merged", "batch", 0])
    .set(["visit_journal", DAY + 1, "batch-0"], [{ short: "s0", day: 1, count: 1, last: DAY + 1 }]).commit();
  await logByWriter(store, 16);
  assert.deepEqual(await findProblems(store), []);
});

/** Rows of version 16: each visits every link once; those that are named belong to the round. */
const ROWS = [{ name: "first", isNamed: true }, { name: "second", isNamed: true }, {
  name: "third",
  isNamed: false,
}];

/** Writes links with two kinds of visits in the format of version 16, in a round that is applied up to a short URL. */
async function fillVersion16(store: Store, done: string | null): Promise<void> {
  const isApplied = (short: string) => done === null || short <= done;
  const sum = (atomic: AtomicOperation, count: bigint) =>
    atomic.sum(["visit_count"], count).sum(["visit_day", 1], count).sum(["visit_hour", 24], count);
  for (const short of SHORTS) {
    await store.kv.set(["link", short], { url: "https://example.com/", createdAt: DAY });
    // Visits of links with a maximum are in the list and the counter at once, and in the rank by their journal.
    const times = Float64Array.from([DAY + 100, DAY + 101, ...isApplied(short) ? [DAY, DAY + 1] : []]).sort();
    const count = BigInt(times.length);
    const atomic = store.kv.atomic().set(["visit", short, times[0] ?? 0, "page"], times)
      .sum(["visit_count", short], count);
    if (isApplied(short)) {
      const rank = { count: 3, last: DAY + 100 };
      atomic.set(["link_rank_of", short], rank).set(["link_rank", 3, short], rank.last)
        .sum(["visit_day_of", short, 1], 3n);
    }
    await sum(atomic, 5n).commit();
  }
  for (const [at, { name }] of ROWS.entries()) {
    const times = Float64Array.from(SHORTS, () => DAY + at);
    await store.kv.set(["visit_log", DAY + at, name], { shorts: SHORTS, counts: SHORTS.map(() => 1), times });
  }
  const journal = (last: number) => SHORTS.map((short) => ({ short, day: 1, count: 1, last }));
  await store.kv.set(["visit_journal", DAY + 100, "named"], journal(DAY + 100));
  await store.kv.set(["visit_journal", DAY + 101, "new"], [...journal(DAY + 101)]);
  await store.kv.set(["visit_round"], { owner: "gone", done, whole: 7 });
  await store.kv.set(["visit_round_rows"], ["first", "second", "named"]);
  await store.kv.set(["schema_version"], 16);
}

Deno.test("a log of version 16 in the middle of a round comes out exact, wherever the migration is interrupted", async () => {
  for (const done of [null, "", "s2", "s39", "zz"]) {
    for (let commits = 0; commits < 8; commits++) {
      using store = await openTestStore();
      await fillVersion16(store, done);
      await logByWriter(failingFrom(store, commits), 16).catch(() => {});
      await Promise.all([logByWriter(store, 16), logByWriter(store, 16)]);
      assert.deepEqual(await findProblems(store), []);
      const expected = new Map(SHORTS.map((short) => [short, { count: 5, last: DAY + 101 }]));
      assert.deepEqual(await readRanks(store.kv, SHORTS), expected);
      await createVisitProcess(store).compactor.catchUp();
      assert.deepEqual(await findProblems(store), []);
      assert.deepEqual(await readRanks(store.kv, SHORTS), expected);
      for (const prefix of ["visit_log", "visit_journal", "visit_round", "visit_round_rows"]) {
        assert.deepEqual(await Array.fromAsync(store.kv.list({ prefix: [prefix] })), []);
      }
    }
  }
});

Deno.test("a log of version 16 without a round is moved as it is", async () => {
  using store = await openTestStore();
  await fillVersion16(store, "");
  await store.kv.delete(["visit_round_rows"]);
  await store.kv.delete(["visit_round"]);
  await logByWriter(store, 16);
  assert.deepEqual(await findProblems(store), []);
  assert.equal((await readRanks(store.kv, ["s7"])).get("s7")?.count, 5);
});
