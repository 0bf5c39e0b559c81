import assert from "node:assert/strict";
import type { Kv } from "@/lib/store/kv.ts";
import type { Store } from "@/lib/store/open.ts";
import { linkKeys, readInstanceCounts } from "@/lib/links/store.ts";
import { readVisitCount } from "@/lib/links/visit_log.ts";
import { foldVisits, PAGE_VISITS, readVisits } from "@/lib/links/visit_pages.ts";
import { openTestStore } from "@/tests/helpers/store.ts";
import { createVisitProcess } from "@/tests/helpers/visits.ts";

async function listVisits(store: Store, short: string): Promise<number[]> {
  const times: number[] = [];
  for await (const run of readVisits(store.kv, short)) times.push(...run);
  return times;
}

async function countEntries(store: Store, short: string): Promise<number> {
  let entries = 0;
  for await (const _ of store.kv.list({ prefix: linkKeys.visits(short) })) entries++;
  return entries;
}

/** Writes entries as another process would, one visit each by default. */
async function writeEntries(
  store: Store,
  short: string,
  entries: readonly (readonly number[])[],
): Promise<void> {
  for (const [batch, times] of entries.entries()) {
    await store.kv.atomic()
      .set(linkKeys.rankOf(short), { count: times.length, last: 0 })
      .set(linkKeys.visits(short, times[0] ?? 0, `test-${batch}`), Float64Array.from(times))
      .sum(linkKeys.visitCount(short), BigInt(times.length))
      .sum(linkKeys.visitCount(), BigInt(times.length))
      .commit();
  }
}

Deno.test("visits are counted per short URL and in total, in the commit that logs them", async () => {
  using store = await openTestStore();
  const { visits } = createVisitProcess(store);
  await Promise.all(
    [1, 2, 3].map((at) => visits.submit({ short: "a", at })).concat(visits.submit({ short: "b", at: 9 })),
  );
  assert.deepEqual(await listVisits(store, "a"), [1, 2, 3]);
  assert.deepEqual(await listVisits(store, "b"), [9]);
  assert.deepEqual([await readVisitCount(store.kv, "a"), await readVisitCount(store.kv, "b")], [3, 1]);
  assert.equal((await readInstanceCounts(store.kv)).visits, 4);
  assert.equal((await Array.fromAsync(store.kv.list({ prefix: linkKeys.log() }))).length, 1);
  assert.equal(await countEntries(store, "a"), 0);
});

Deno.test("more short URLs than fit in one commit are counted, too", async () => {
  using store = await openTestStore();
  const { visits } = createVisitProcess(store);
  await Promise.all(Array.from({ length: 1200 }, (_, at) => visits.submit({ short: `s${at}`, at })));
  assert.equal((await readInstanceCounts(store.kv)).visits, 1200);
  assert.deepEqual(await listVisits(store, "s1199"), [1199]);
});

Deno.test("visits that arrive out of order are listed oldest first", async () => {
  using store = await openTestStore();
  await writeEntries(store, "a", [[10, 30, 50], [20, 40], [25], [45, 60]]);
  assert.deepEqual(await listVisits(store, "a"), [10, 20, 25, 30, 40, 45, 50, 60]);
  await foldVisits(store, "a");
  assert.deepEqual(await listVisits(store, "a"), [10, 20, 25, 30, 40, 45, 50, 60]);
  assert.equal(await countEntries(store, "a"), 1);
});

Deno.test("small entries are folded into full pages, and later ones into the partial page", async () => {
  using store = await openTestStore();
  const first = Array.from(
    { length: 60 },
    (_, at) => Array.from({ length: 100 }, (_, visit) => at * 100 + visit),
  );
  await writeEntries(store, "a", first);
  await foldVisits(store, "a");
  assert.equal(await countEntries(store, "a"), 3);
  await writeEntries(store, "a", [[7000], [7001]]);
  await foldVisits(store, "a");
  assert.equal(await countEntries(store, "a"), 3);
  const all = await listVisits(store, "a");
  assert.equal(all.length, 6002);
  assert.ok(all.every((time, at) => at === 0 || time >= (all[at - 1] ?? 0)));
});

Deno.test("a fold that ends exactly at a full page leaves no partial page, and visits continue after it", async () => {
  using store = await openTestStore();
  const half = PAGE_VISITS / 2;
  const entry = (from: number) => Array.from({ length: half }, (_, at) => from + at);
  await writeEntries(store, "a", [entry(0), entry(half)]);
  await foldVisits(store, "a");
  await writeEntries(store, "a", [[PAGE_VISITS], [PAGE_VISITS + 1]]);
  await foldVisits(store, "a");
  assert.deepEqual(await listVisits(store, "a"), Array.from({ length: PAGE_VISITS + 2 }, (_, at) => at));
});

Deno.test("entries with ids of maximum length are folded, too", async () => {
  using store = await openTestStore();
  const short = "\u{e0061}".repeat(64);
  await writeEntries(store, short, Array.from({ length: 600 }, (_, at) => [at]));
  await foldVisits(store, short);
  assert.deepEqual(await listVisits(store, short), Array.from({ length: 600 }, (_, at) => at));
  assert.ok(await countEntries(store, short) < 4);
});

Deno.test("a visit older than the folded ones is still listed, in order", async () => {
  using store = await openTestStore();
  await writeEntries(store, "a", [[100], [200], [300]]);
  await foldVisits(store, "a");
  await writeEntries(store, "a", [[150]]);
  assert.deepEqual(await listVisits(store, "a"), [100, 150, 200, 300]);
});

Deno.test("two processes that fold the same entries concurrently neither lose nor duplicate a visit", async () => {
  using store = await openTestStore();
  await writeEntries(store, "a", Array.from({ length: 500 }, (_, at) => [at]));
  await Promise.all([foldVisits(store, "a"), foldVisits(store, "a"), foldVisits(store, "a")]);
  assert.deepEqual(await listVisits(store, "a"), Array.from({ length: 500 }, (_, at) => at));
});

/** Returns a view of a store that runs `interrupt` once, between two batches of a listing. */
function interruptListing(kv: Kv, afterEntries: number, interrupt: () => Promise<void>): Kv {
  let isDone = false;
  const list = async function* (...args: Parameters<Kv["list"]>) {
    let listed = 0;
    for await (const entry of kv.list(...args)) {
      yield entry;
      if (++listed < afterEntries || isDone) continue;
      isDone = true;
      await interrupt();
    }
  };
  return new Proxy(kv, {
    get(target, name) {
      if (name === "list") return list;
      const member: unknown = Reflect.get(target, name);
      return typeof member === "function" ? member.bind(target) : member;
    },
  });
}

Deno.test("a list that is read while its tail is folded contains every visit once", async () => {
  using store = await openTestStore();
  await writeEntries(store, "a", Array.from({ length: 3000 }, (_, at) => [at]));
  const interrupted = interruptListing(store.kv, 1000, () => foldVisits(store, "a"));
  const times: number[] = [];
  for await (const run of readVisits(interrupted, "a")) times.push(...run);
  assert.deepEqual(times, Array.from({ length: 3000 }, (_, at) => at));
});

Deno.test("entries are folded although visits are applied meanwhile", async () => {
  using store = await openTestStore();
  await writeEntries(store, "a", Array.from({ length: 300 }, (_, at) => [at]));
  const kv = interruptListing(store.kv, 100, () => writeEntries(store, "a", [[300]]));
  await foldVisits({ ...store, kv }, "a");
  assert.equal(await countEntries(store, "a"), 1);
  assert.deepEqual(await listVisits(store, "a"), Array.from({ length: 301 }, (_, at) => at));
});

/** Fills two full pages of a short URL with ascending times from `start`. */
async function fillPages(store: Store, short: string, start: number): Promise<number[]> {
  const times = Array.from({ length: 2 * PAGE_VISITS }, (_, at) => start + at);
  await writeEntries(store, short, [times.slice(0, PAGE_VISITS), times.slice(PAGE_VISITS)]);
  await foldVisits(store, short);
  return times;
}

Deno.test("a logged visit older than full pages is listed in order, also when it leaves the log meanwhile", async () => {
  for (const isApplied of [false, true]) {
    using store = await openTestStore();
    const times = await fillPages(store, "a", 100);
    await createVisitProcess(store).visits.submit({ short: "a", at: 150 });
    const apply = async () => void await createVisitProcess(store).compactor.catchUp();
    const kv = isApplied ? interruptListing(store.kv, 1, apply) : store.kv;
    const listed = (await Array.fromAsync(readVisits(kv, "a"))).flatMap((run) => [...run]);
    assert.deepEqual(listed, [...times, 150].sort((one, other) => one - other));
  }
});

Deno.test("a list stays in order when an older visit is logged while it is read", async () => {
  using store = await openTestStore();
  const times = await fillPages(store, "a", 100);
  const log = async () => void await createVisitProcess(store).visits.submit({ short: "a", at: 50 });
  const kv = interruptListing(store.kv, 2, log);
  assert.deepEqual((await Array.fromAsync(readVisits(kv, "a"))).flatMap((run) => [...run]), times);
});

Deno.test("the compactor folds on its own once many small entries have accumulated", async () => {
  using store = await openTestStore();
  const { visits } = createVisitProcess(store);
  const compactor = createVisitProcess(store).compactor;
  for (let at = 0; at < 450; at++) {
    await visits.submit({ short: "a", at });
    await compactor.catchUp();
  }
  await compactor.stop();
  assert.ok(await countEntries(store, "a") < 60);
  assert.deepEqual(await listVisits(store, "a"), Array.from({ length: 450 }, (_, at) => at));
});

Deno.test("a store that refuses a commit fails its visits, which are then not counted", async () => {
  const store = await openTestStore();
  const { visits } = createVisitProcess(store);
  await visits.submit({ short: "a", at: 1 });
  store[Symbol.dispose]();
  await assert.rejects(visits.submit({ short: "a", at: 2 }), { code: "UNAVAILABLE" });
});
