import assert from "node:assert/strict";
import fc from "@/tests/helpers/fast_check.ts";
import type { Store } from "@/lib/kv/open.ts";
import { toValue } from "@/lib/kv/key.ts";
import { checkLinks } from "@/lib/links/check.ts";
import { MAX_SHORTS } from "@/lib/links/commit_budget.ts";
import { createRanking } from "@/lib/links/ranking.ts";
import { listDays } from "@/lib/links/stats.ts";
import { linkKeys, readVisitCount } from "@/lib/links/store.ts";
import { createVisitCommitter } from "@/lib/links/visits.ts";
import { openTestStore } from "@/tests/helpers/store.ts";
import { waitFor } from "@/tests/helpers/wait.ts";

const DAY = 86_400_000;

async function listRanks(store: Store): Promise<(readonly [string, number])[]> {
  const ranks = store.kv.list({ prefix: linkKeys.ranks }, { reverse: true });
  return await Array.fromAsync(
    ranks,
    ({ key }) => [toValue<string>(key[2]), toValue<number>(key[1])] as const,
  );
}

async function countBelow(store: Store, prefix: Deno.KvKey): Promise<number> {
  return (await Array.fromAsync(store.kv.list({ prefix }))).length;
}

/** Returns the problems that a check finds, except that the tests create no links. */
async function findProblems(store: Store): Promise<string[]> {
  const { problems } = await checkLinks(store.kv);
  return problems.filter((problem) => !problem.includes("but not the short URL"));
}

Deno.test("visited URLs are ordered by visits once the journals are merged", async () => {
  using store = await openTestStore();
  const visits = createVisitCommitter(store);
  const ranking = createRanking(store);
  for (const short of ["a", "b", "b", "c", "c", "c", "a", "a", "a"]) await visits.submit({ short, at: DAY });
  assert.deepEqual(await listRanks(store), []);
  assert.equal(await ranking.catchUp(), true);
  assert.deepEqual(await listRanks(store), [["a", 4], ["c", 3], ["b", 2]]);
  await visits.submit({ short: "c", at: DAY });
  await visits.submit({ short: "c", at: DAY });
  await ranking.catchUp();
  assert.deepEqual(await listRanks(store), [["c", 5], ["a", 4], ["b", 2]]);
  assert.equal(await countBelow(store, linkKeys.journal), 0);
  assert.deepEqual(await findProblems(store), []);
});

Deno.test("visits of two days in one batch are counted on their days", async () => {
  using store = await openTestStore();
  const visits = createVisitCommitter(store);
  await Promise.all([DAY - 1, DAY, DAY + 1, 3 * DAY].map((at) => visits.submit({ short: "a", at })));
  await createRanking(store).catchUp();
  const days = [{ day: 0, count: 1 }, { day: 1, count: 2 }, { day: 3, count: 1 }];
  assert.deepEqual(await listDays(store.kv, linkKeys.visitDays, { to: 9 }), days);
  assert.deepEqual(await listDays(store.kv, linkKeys.visitDaysOf("a"), { to: 9 }), days);
  assert.deepEqual(await listDays(store.kv, linkKeys.visitDaysOf("a"), { from: 1, to: 2 }), days.slice(1, 2));
});

Deno.test("journals of more URLs than fit in one commit are merged first, and nothing is lost", async () => {
  using store = await openTestStore();
  const visits = createVisitCommitter(store);
  const count = 3 * MAX_SHORTS + 7;
  for (let round = 0; round < 3; round++) {
    await Promise.all(Array.from({ length: count }, (_, at) => visits.submit({ short: `s${at}`, at: DAY })));
  }
  const ranking = createRanking(store);
  // One step merges; the check includes pending entries.
  await ranking.catchUp(0);
  assert.ok(await countBelow(store, linkKeys.merged) > 1);
  assert.deepEqual(await findProblems(store), []);
  await ranking.catchUp();
  assert.equal((await listRanks(store)).length, count);
  assert.deepEqual(await findProblems(store), []);
});

Deno.test("ids of maximum length fit into a commit", async () => {
  using store = await openTestStore();
  const visits = createVisitCommitter(store);
  const longest = (at: number) => "\u{e0061}".repeat(60) + String(at).padStart(8, "0");
  await Promise.all(
    Array.from({ length: 2 * MAX_SHORTS }, (_, at) => visits.submit({ short: longest(at), at: DAY })),
  );
  await createRanking(store).catchUp();
  assert.equal((await listRanks(store)).length, 2 * MAX_SHORTS);
});

Deno.test("visits are ranked automatically some time after they arrive", async () => {
  using store = await openTestStore();
  const ranking = createRanking(store);
  const visits = createVisitCommitter(store, { onCommitted: ranking.wake });
  await visits.submit({ short: "a", at: DAY });
  await waitFor("the visited URL has a rank", () => listRanks(store), { isMet: ({ length }) => length > 0 });
  await ranking.stop();
});

Deno.test("under any interleaving of visits and several rankings the order equals the counts", async () => {
  const short = fc.constantFrom("a", "b", "c", "d", "e");
  const visit = fc.record({
    short,
    day: fc.integer({ min: 0, max: 3 }),
    count: fc.integer({ min: 1, max: 300 }),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.oneof(visit, fc.constant("rank" as const)), { maxLength: 25 }),
      async (steps) => {
        using store = await openTestStore();
        const committers = [createVisitCommitter(store), createVisitCommitter(store)];
        const rankings = [createRanking(store), createRanking(store)];
        await Promise.all(steps.map(async (step, at) => {
          if (step === "rank") return void await rankings[at % 2]?.catchUp(at % 3 === 0 ? 0 : Infinity);
          const { short, day, count } = step;
          await Promise.all(
            Array.from({ length: count }, () => committers[at % 2]?.submit({ short, at: day * DAY })),
          );
        }));
        await Promise.all(rankings.map((ranking) => ranking.catchUp()));
        for (const [name, count] of await listRanks(store)) {
          assert.equal(count, await readVisitCount(store.kv, name));
        }
        assert.deepEqual(await findProblems(store), []);
        for (const ranking of rankings) await ranking.stop();
      },
    ),
    { numRuns: 30 },
  );
});
