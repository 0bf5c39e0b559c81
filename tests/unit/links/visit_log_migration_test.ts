import assert from "node:assert/strict";
import { checkLinks } from "@/lib/links/check.ts";
import type { JournalPart } from "@/lib/links/store.ts";
import { createVisitCompactor } from "@/lib/links/visit_compactor.ts";
import { readRanks } from "@/lib/links/visit_log.ts";
import { startVisitLog } from "@/lib/links/visit_log_migration.ts";
import type { Store } from "@/lib/store/open.ts";
import { openTestStore } from "@/tests/helpers/store.ts";

const DAY = 86_400_000;
/** Links with two visits each: one in a journal, one in a merged journal. */
const SHORTS = Array.from({ length: 40 }, (_, at) => `s${at}`);

/** Writes links and visits in the format of version 9, before its ranking has read the journals. */
async function fillVersion9(store: Store): Promise<void> {
  const part = (short: string, last: number): JournalPart => ({ short, day: 1, count: 1, last });
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
}

async function findProblems(store: Store): Promise<string[]> {
  const { problems } = await checkLinks(store.kv);
  return problems.filter((problem) => /visits/.test(problem));
}

Deno.test("journals of version 9 reach the ranking, also when two processes migrate", async () => {
  using store = await openTestStore();
  await fillVersion9(store);
  await Promise.all([startVisitLog(store), startVisitLog(store)]);
  assert.deepEqual(await findProblems(store), []);
  const expected = new Map(SHORTS.map((short) => [short, { count: 2, last: DAY + 1 }]));
  assert.deepEqual(await readRanks(store.kv, SHORTS), expected);
  await createVisitCompactor(store).catchUp();
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
  await startVisitLog(store);
  await startVisitLog(store);
  assert.deepEqual(await findProblems(store), []);
});
