import type { Kv } from "@/lib/store/kv.ts";
import assert from "node:assert/strict";
import fc from "@/tests/helpers/fast_check.ts";
import type { Store } from "@/lib/store/open.ts";
import { readRecord, toValue } from "@/lib/store/key.ts";
import { checkLinks } from "@/lib/links/check.ts";
import { listLatestVisits, readLinkDays, readSums } from "@/lib/links/stats.ts";
import { type CompactionRound, linkKeys } from "@/lib/links/store.ts";
import { readRanks, readVisitCount } from "@/lib/links/visit_log.ts";
import { readVisits } from "@/lib/links/visit_pages.ts";
import { openTestStore } from "@/tests/helpers/store.ts";
import { createVisitProcess } from "@/tests/helpers/visits.ts";
import { waitFor } from "@/tests/helpers/wait.ts";

const DAY = 86_400_000;

async function listRanks(store: Store): Promise<(readonly [string, number])[]> {
  const ranks = store.kv.list({ prefix: linkKeys.rank() }, { reverse: true });
  return await Array.fromAsync(
    ranks,
    ({ key }) => [toValue<string>(key[2]), toValue<number>(key[1])] as const,
  );
}

async function countBelow(store: Store, prefix: Deno.KvKey): Promise<number> {
  return (await Array.fromAsync(store.kv.list({ prefix }))).length;
}

/** Returns the problems that a check finds, of at most 100, except that the tests create no links. */
async function findProblems(store: Store): Promise<string[]> {
  const { problems } = await checkLinks(store.kv);
  return problems.filter((problem) => !problem.includes("but not the short URL"));
}

Deno.test("visited URLs are ordered by visits once the log is compacted", async () => {
  using store = await openTestStore();
  const { visits } = createVisitProcess(store);
  const compactor = createVisitProcess(store).compactor;
  for (const short of ["a", "b", "b", "c", "c", "c", "a", "a", "a"]) await visits.submit({ short, at: DAY });
  assert.deepEqual(await listRanks(store), []);
  assert.equal(await compactor.catchUp(), true);
  assert.deepEqual(await listRanks(store), [["a", 4], ["c", 3], ["b", 2]]);
  await visits.submit({ short: "c", at: DAY });
  await visits.submit({ short: "c", at: DAY });
  await compactor.catchUp();
  assert.deepEqual(await listRanks(store), [["c", 5], ["a", 4], ["b", 2]]);
  assert.equal(await countBelow(store, linkKeys.log()), 0);
  assert.deepEqual(await findProblems(store), []);
});

Deno.test("a round of a few visits is one commit", async () => {
  using store = await openTestStore();
  const { visits, compactor } = createVisitProcess(store);
  for (let at = 0; at < 20; at++) await visits.submit({ short: `s${at % 3}`, at: DAY });
  const begin = store.kv.atomic.bind(store.kv);
  let commits = 0;
  store.kv.atomic = () => (commits++, begin());
  await compactor.catchUp();
  assert.equal(commits, 1);
  assert.equal(await countBelow(store, linkKeys.log()), 0);
  assert.deepEqual(await findProblems(store), []);
});

Deno.test("visits of two days in one batch are counted on their days", async () => {
  using store = await openTestStore();
  const { visits } = createVisitProcess(store);
  await Promise.all([DAY - 1, DAY, DAY + 1, 3 * DAY].map((at) => visits.submit({ short: "a", at })));
  await createVisitProcess(store).compactor.catchUp();
  const days = new Map([[0, 1], [1, 2], [3, 1]]);
  assert.deepEqual(await readSums(store.kv, linkKeys.visitDay(), { from: -Infinity, to: 9 }), days);
  assert.deepEqual(await readSums(store.kv, linkKeys.visitDayOf("a"), { from: -Infinity, to: 9 }), days);
  assert.deepEqual(await readSums(store.kv, linkKeys.visitDayOf("a"), { from: 1, to: 3 }), new Map([[1, 2]]));
});

Deno.test("visits of more URLs than fit in one step are applied in several, and nothing is lost", async () => {
  using store = await openTestStore();
  const { visits } = createVisitProcess(store);
  const count = 90;
  for (let round = 0; round < 3; round++) {
    await Promise.all(Array.from({ length: count }, (_, at) => visits.submit({ short: `s${at}`, at: DAY })));
  }
  const compactor = createVisitProcess(store).compactor;
  // The check includes the log as far as it is not applied.
  assert.equal(await compactor.catchUp(0), false);
  const ranked = (await listRanks(store)).length;
  assert.ok(ranked > 0 && ranked < count);
  assert.equal(await countBelow(store, linkKeys.log()), 3);
  assert.deepEqual(await findProblems(store), []);
  await compactor.catchUp();
  assert.equal((await listRanks(store)).length, count);
  assert.deepEqual(await findProblems(store), []);
});

Deno.test("ids of maximum length fit into a commit", async () => {
  using store = await openTestStore();
  const { visits } = createVisitProcess(store);
  const longest = (at: number) => "\u{e0061}".repeat(60) + String(at).padStart(8, "0");
  await Promise.all(
    Array.from({ length: 400 }, (_, at) => visits.submit({ short: longest(at), at: DAY })),
  );
  const days = Array.from({ length: 300 }, (_, day) => visits.submit({ short: longest(400), at: day * DAY }));
  await Promise.all(days);
  await createVisitProcess(store).compactor.catchUp();
  assert.equal((await listRanks(store)).length, 401);
  assert.equal(await readVisitCount(store.kv, longest(400)), 300);
});

/** Short URLs whose visits take several steps. */
const MANY = Array.from({ length: 60 }, (_, at) => `s${at}`);

Deno.test("visits are applied automatically some time after they arrive", async () => {
  using store = await openTestStore();
  const { visits, compactor } = createVisitProcess(store, { isAutomatic: true });
  await visits.submit({ short: "a", at: DAY });
  await waitFor("the visited URL has a rank", () => listRanks(store), { isMet: ({ length }) => length > 0 });
  await compactor.stop();
});

Deno.test("another process continues a round once the one that began it is silent", async () => {
  using store = await openTestStore();
  const { visits } = createVisitProcess(store);
  await Promise.all(MANY.map((short) => visits.submit({ short, at: DAY })));
  const first = createVisitProcess(store).compactor;
  assert.equal(await first.catchUp(0), false);
  await first.stop();
  assert.deepEqual(await findProblems(store), []);
  const second = createVisitProcess(store, { isAutomatic: true }).compactor;
  second.wake();
  const countRows = () => countBelow(store, linkKeys.log());
  await waitFor("the log is empty", countRows, { isMet: (rows) => rows === 0 });
  await second.stop();
  assert.equal((await listRanks(store)).length, MANY.length);
  assert.deepEqual(await findProblems(store), []);
});

Deno.test("a process leaves a round to another one that makes progress", async () => {
  using store = await openTestStore();
  const { visits, compactor: active } = createVisitProcess(store);
  await Promise.all(Array.from({ length: 400 }, (_, at) => visits.submit({ short: `s${at}`, at: DAY })));
  await active.catchUp(0);
  let looks = 0;
  const kv = interruptReads(store.kv, Infinity, () => Promise.resolve(), () => void looks++);
  const other = createVisitProcess({ ...store, kv }, { isAutomatic: true }).compactor;
  other.wake();
  const owners = new Set<string>();
  while (looks < 3) {
    await visits.submit({ short: "s1", at: DAY });
    await active.catchUp(0);
    owners.add((await readRecord<CompactionRound>(store.kv, linkKeys.round))?.owner ?? "");
  }
  assert.equal(owners.size, 1);
  await other.stop();
});

Deno.test("two compactors that take turns in a round count every visit once", async () => {
  using store = await openTestStore();
  const { visits, compactor: first } = createVisitProcess(store);
  await Promise.all(MANY.map((short) => visits.submit({ short, at: DAY })));
  assert.equal(await first.catchUp(0), false);
  const ranked = (await listRanks(store)).length;
  assert.ok(ranked > 0 && ranked < MANY.length);
  await createVisitProcess(store).compactor.catchUp();
  assert.equal((await listRanks(store)).length, MANY.length);
  assert.deepEqual(await findProblems(store), []);
  // Its round is outdated, which it notices.
  await first.catchUp();
  assert.deepEqual(await findProblems(store), []);
});

Deno.test("each of many logs is applied, also those of processes that are gone", async () => {
  using store = await openTestStore();
  for (let at = 0; at < 40; at++) {
    const { visits } = createVisitProcess(store);
    for (let visit = 0; visit <= at % 3; visit++) {
      await Promise.all([
        visits.submit({ short: "a", at: DAY }),
        visits.submit({ short: `s${at}`, at: DAY }),
      ]);
    }
  }
  assert.equal(await createVisitProcess(store).compactor.catchUp(), true);
  assert.deepEqual((await listRanks(store))[0], ["a", 79]);
  assert.equal(await countBelow(store, linkKeys.log()), 0);
  assert.deepEqual(await findProblems(store), []);
});

Deno.test("a log that fills a round lets the others have the next ones", async () => {
  using store = await openTestStore();
  const rows = (writer: string, count: number) =>
    Promise.all(Array.from({ length: count }, async (_, number) => {
      const row = { shorts: [writer], counts: [1], times: Float64Array.of(DAY) };
      await store.kv.atomic().set(linkKeys.log(writer, number), row).sum(linkKeys.visitCount(), 1n)
        .sum(linkKeys.visitDay(1), 1n).sum(linkKeys.visitHour(24), 1n).commit();
    }));
  await rows("long", 6500);
  await rows("a", 1);
  await rows("z", 1);
  const compactor = createVisitProcess(store).compactor;
  const isWaiting = async (writer: string) => (await countBelow(store, linkKeys.log(writer))) > 0;
  while (await isWaiting("a") || await isWaiting("z")) await compactor.catchUp(0);
  assert.equal(await isWaiting("long"), true);
  assert.equal(await compactor.catchUp(), true);
  assert.equal(await readVisitCount(store.kv, "long"), 6500);
  assert.deepEqual(await findProblems(store), []);
});

Deno.test("a log continues under another name after a commit whose outcome is not known", async () => {
  using store = await openTestStore();
  const { visits, compactor } = createVisitProcess(store);
  await visits.submit({ short: "a", at: DAY });
  const { atomic } = store.kv;
  const late: (() => Promise<unknown>)[] = [];
  Object.assign(store.kv, {
    atomic: () => {
      const operation = atomic.call(store.kv);
      const commit = operation.commit.bind(operation);
      late.push(commit);
      return Object.assign(operation, { commit: () => Promise.reject(new Error("no response")) });
    },
  });
  await assert.rejects(visits.submit({ short: "a", at: DAY }), { code: "UNAVAILABLE" });
  Object.assign(store.kv, { atomic });
  await visits.submit({ short: "a", at: DAY });
  await compactor.catchUp();
  // The commit is made after all, when later visits are applied already.
  for (const commit of late) await commit();
  assert.equal(await readVisitCount(store.kv, "a"), 3);
  await compactor.catchUp();
  assert.deepEqual(await listRanks(store), [["a", 3]]);
  assert.deepEqual(await findProblems(store), []);
});

Deno.test("catchUp() applies what was logged after the current round began", async () => {
  using store = await openTestStore();
  const { visits } = createVisitProcess(store);
  await Promise.all(MANY.map((short) => visits.submit({ short, at: DAY })));
  const compactor = createVisitProcess(store).compactor;
  assert.equal(await compactor.catchUp(0), false);
  await visits.submit({ short: "late", at: DAY });
  assert.equal(await compactor.catchUp(), true);
  assert.equal((await listRanks(store)).length, MANY.length + 1);
  await compactor.stop();
});

Deno.test("visits wait while the log is too long", async () => {
  using store = await openTestStore();
  const { visits, compactor } = createVisitProcess(store);
  for (let at = 0; at <= 100_000; at += 1500) {
    await Promise.all(
      Array.from({ length: 1500 }, (_, visit) => visits.submit({ short: `s${visit % 40}`, at: DAY })),
    );
  }
  assert.deepEqual(await listRanks(store), []);
  await visits.submit({ short: "late", at: DAY });
  assert.ok((await listRanks(store)).length >= 40);
  assert.equal(await readVisitCount(store.kv, "late"), 1);
  await compactor.catchUp();
  assert.deepEqual(await findProblems(store), []);
});

Deno.test("a reader that compaction interrupts at any point neither misses nor repeats a visit", async () => {
  const read: Readonly<Record<string, (kv: Kv) => Promise<number>>> = {
    count: (kv) => readVisitCount(kv, "s1"),
    rank: async (kv) => (await readRanks(kv, ["s1"])).get("s1")?.count ?? 0,
    days: async (kv) =>
      (await readLinkDays(kv, "s1", { from: 0, to: 9 })).values().reduce((sum, count) => sum + count, 0),
    list: async (kv) => (await Array.fromAsync(readVisits(kv, "s1"))).flatMap((run) => [...run]).length,
    latest: async (kv) => (await listLatestVisits(kv, "s1", null)).times.length,
  };
  for (const [name, count] of Object.entries(read)) {
    for (let calls = 0; calls < 12; calls++) {
      using store = await openTestStore();
      const { visits } = createVisitProcess(store);
      const submit = (at: number) => Promise.all(MANY.map((short) => visits.submit({ short, at })));
      await submit(1);
      await createVisitProcess(store).compactor.catchUp();
      await submit(2);
      await submit(3);
      // One of two steps, or the whole log.
      const isPart = calls % 2 === 0;
      const compactor = createVisitProcess(store).compactor;
      const kv = interruptReads(
        store.kv,
        calls,
        async () => void await compactor.catchUp(isPart ? 0 : Infinity),
      );
      assert.equal(await count(kv), 3, `${name}, after ${calls} reads`);
      await compactor.stop();
    }
  }
});

/** Returns a view of a store that runs `interrupt` once, after a number of reads. */
function interruptReads(
  kv: Kv,
  after: number,
  interrupt: () => Promise<void>,
  count: () => void = () => {},
): Kv {
  let reads = 0;
  const pass = async () => {
    count();
    if (reads++ === after) await interrupt();
  };
  const list = async function* (...args: Parameters<Kv["list"]>) {
    await pass();
    yield* kv.list(...args);
  };
  return new Proxy(kv, {
    get(target, name) {
      if (name === "list") return list;
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== "function") return member;
      const isRead = name === "get" || name === "getMany";
      return isRead
        ? (...args: unknown[]) => pass().then(() => member.apply(target, args))
        : member.bind(target);
    },
  });
}

Deno.test("under any interleaving of visits and several compactors the order equals the counts", async () => {
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
        const committers = [createVisitProcess(store).visits, createVisitProcess(store).visits];
        const compactors = [createVisitProcess(store).compactor, createVisitProcess(store).compactor];
        await Promise.all(steps.map(async (step, at) => {
          if (step === "rank") return void await compactors[at % 2]?.catchUp(at % 3 === 0 ? 0 : Infinity);
          const { short, day, count } = step;
          await Promise.all(
            Array.from({ length: count }, () => committers[at % 2]?.submit({ short, at: day * DAY })),
          );
        }));
        await Promise.all(compactors.map((compactor) => compactor.catchUp()));
        for (const [name, count] of await listRanks(store)) {
          assert.equal(count, await readVisitCount(store.kv, name));
        }
        assert.deepEqual(await findProblems(store), []);
        for (const compactor of compactors) await compactor.stop();
      },
    ),
    { numRuns: 30 },
  );
});
