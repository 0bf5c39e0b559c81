import assert from "node:assert/strict";
import { DAY_MS } from "@/lib/core/clock.ts";
import { readConfig } from "@/lib/config.ts";
import { openStore, type Store } from "@/lib/store/open.ts";
import { shorten } from "@/lib/links/actions.ts";
import { createLinksApp, drainLinks } from "@/lib/links/app.ts";
import { checkLinks } from "@/lib/links/check.ts";
import { deleteLinks, updateLinks } from "@/lib/links/manage/update_links.ts";
import { linkKeys, readInstanceCounts } from "@/lib/links/store.ts";
import { foldVisits } from "@/lib/links/visit_pages.ts";
import { createFakeClock } from "@/tests/helpers/app.ts";
import { openTestStore } from "@/tests/helpers/store.ts";

const ACTOR = { creator: null, audit: () => {} };

function startApp(store: Store, env: Readonly<Record<string, string>> = {}) {
  const config = readConfig({ KV_URL: ":memory:", ...env });
  return createLinksApp({ store, clock: createFakeClock(), config }, () => {});
}

/** Creates two links and visits both, one of them on many days; returns their ids. */
async function fill(store: Store): Promise<{ readonly sparse: string; readonly other: string }> {
  const app = startApp(store);
  const { short: sparse } = await shorten(app, "https://example.com/sparse");
  const { short: other } = await shorten(app, "https://example.com/other");
  const start = Date.UTC(2020, 0, 1);
  const visits = Array.from({ length: 700 }, (_, day) => ({ short: sparse, at: start + day * DAY_MS }));
  const many = Array.from(
    { length: 3000 },
    (_, at) => ({ short: at % 3 === 0 ? other : sparse, at: start + at }),
  );
  await Promise.all([...visits, ...many].map((visit) => app.visits.submit(visit)));
  // One page then contains visits of hundreds of days.
  await foldVisits(store, sparse);
  await drainLinks(app);
  return { sparse, other };
}

Deno.test("visits of a deleted link are removed from all statistics, and no others", async () => {
  using store = await openTestStore();
  const { sparse } = await fill(store);
  const app = startApp(store);
  await deleteLinks(app, { shorts: [sparse], areVisitsDeleted: true }, ACTOR);
  assert.equal(await app.visitRemover.sweep(), 1);
  assert.deepEqual(await readInstanceCounts(store.kv), { urls: 1, visits: 1000 });
  assert.deepEqual(await checkLinks(store.kv), { urls: 1, visits: 1000, problems: [] });
  for (const prefix of [linkKeys.visits(sparse), linkKeys.visitDayOf(sparse), linkKeys.removal()]) {
    assert.deepEqual(await Array.fromAsync(store.kv.list({ prefix: [...prefix] })), []);
  }
  await drainLinks(app);
});

Deno.test("visits on many days of a link with an id of maximum length are removed", async () => {
  using store = await openTestStore();
  const app = startApp(store, { SHORT_CHARS: '["\u{e0061}","\u{e0062}"]', SHORT_LENGTH: "64" });
  const { short } = await shorten(app, "https://example.com/");
  for (const from of [0, 150]) {
    const days = Array.from({ length: 150 }, (_, day) => (from + day) * DAY_MS);
    await Promise.all(days.map((at) => app.visits.submit({ short, at })));
    await app.compactor.catchUp();
  }
  await foldVisits(store, short);
  await deleteLinks(app, { shorts: [short], areVisitsDeleted: true }, ACTOR);
  assert.equal(await app.visitRemover.sweep(), 1);
  assert.deepEqual(await checkLinks(store.kv), { urls: 0, visits: 0, problems: [] });
  await drainLinks(app);
});

Deno.test("visits of hours before they were counted by hour are removed, and no sum of an hour is lowered below them", async () => {
  using store = await openTestStore();
  const { sparse } = await fill(store);
  // As after a migration in 2021.
  const since = Date.UTC(2021, 0, 1) / 3_600_000;
  for await (
    const { key } of store.kv.list({ prefix: linkKeys.visitHour(), end: [...linkKeys.visitHour(), since] })
  ) {
    await store.kv.delete(key);
  }
  await store.kv.set(linkKeys.visitHoursSince, since);
  const app = startApp(store);
  await deleteLinks(app, { shorts: [sparse], areVisitsDeleted: true }, ACTOR);
  assert.equal(await app.visitRemover.sweep(), 1);
  assert.deepEqual(await checkLinks(store.kv), { urls: 1, visits: 1000, problems: [] });
  const sums = await Array.fromAsync(store.kv.list<Deno.KvU64>({ prefix: linkKeys.visitHour() }));
  assert.deepEqual(sums.filter(({ key, value }) => Number(key[1]) < since || value.value !== 0n), []);
  await drainLinks(app);
});

Deno.test("several removers, folds and rankings at once remove each visit once", async () => {
  using store = await openTestStore();
  const { sparse, other } = await fill(store);
  const apps = [startApp(store), startApp(store), startApp(store)] as const;
  await apps[0].visits.submit({ short: other, at: Date.UTC(2026, 10, 21) });
  await deleteLinks(apps[0], { shorts: [sparse], areVisitsDeleted: true }, ACTOR);
  await Promise.all([
    ...apps.map((app) => app.visitRemover.sweep()),
    ...apps.map((app) => app.compactor.catchUp()),
    foldVisits(store, sparse),
    apps[1].visits.submit({ short: other, at: Date.UTC(2026, 10, 21, 1) }),
  ]);
  for (const app of apps) await app.visitRemover.sweep();
  await apps[0].compactor.catchUp();
  assert.deepEqual(await checkLinks(store.kv), { urls: 1, visits: 1002, problems: [] });
  for (const app of apps) await drainLinks(app);
});

/** Returns a view of a store whose first commit is made after `before`. */
function commitAfter(store: Store, before: () => Promise<unknown>): Store {
  let isFirst = true;
  const atomic = () => {
    const operation = store.kv.atomic();
    if (!isFirst) return operation;
    isFirst = false;
    const commit = operation.commit.bind(operation);
    return Object.assign(operation, { commit: () => before().then(commit) });
  };
  const kv = new Proxy(store.kv, {
    get(target, name) {
      const member: unknown = name === "atomic" ? atomic : Reflect.get(target, name);
      return typeof member === "function" ? member.bind(target) : member;
    },
  });
  return { ...store, kv };
}

Deno.test("a removal or a fold whose commit follows that of all removals changes nothing", async () => {
  const late: ((store: Store, short: string) => Promise<unknown>)[] = [
    (store) => startApp(store).visitRemover.sweep(),
    foldVisits,
  ];
  for (const work of late) {
    using store = await openTestStore();
    const app = startApp(store);
    const { short } = await shorten(app, "https://example.com/removed");
    const { short: other } = await shorten(app, "https://example.com/other");
    for (const at of [1, 2]) {
      await Promise.all([short, other].map((visited) => app.visits.submit({ short: visited, at })));
      await app.compactor.catchUp();
    }
    await deleteLinks(app, { shorts: [short], areVisitsDeleted: true }, ACTOR);
    await work(commitAfter(store, () => app.visitRemover.sweep()), short);
    assert.deepEqual(await checkLinks(store.kv), { urls: 1, visits: 2, problems: [] });
    await drainLinks(app);
  }
});

Deno.test("a removal that was interrupted continues in another process", async () => {
  using store = await openTestStore();
  const { sparse } = await fill(store);
  const first = startApp(store);
  await deleteLinks(first, { shorts: [sparse], areVisitsDeleted: true }, ACTOR);
  const sweep = first.visitRemover.sweep();
  await drainLinks(first);
  await sweep;
  const second = startApp(store);
  await second.visitRemover.sweep();
  assert.deepEqual(await checkLinks(store.kv), { urls: 1, visits: 1000, problems: [] });
  await drainLinks(second);
});

Deno.test("the check reports a wrong index, and a removal of a link that is not deleted", async () => {
  using store = await openStore(":memory:");
  const { sparse, other } = await fill(store);
  const app = startApp(store);
  await app.indexer.sweep();
  await app.compactor.catchUp();
  await updateLinks(app, { shorts: [other], patch: { tags: ["tagged"] } }, ACTOR);
  assert.deepEqual((await checkLinks(store.kv)).problems, []);
  await store.kv.delete(linkKeys.term("#tagged", other));
  await store.kv.set(linkKeys.removal(sparse), 1);
  await store.kv.set(linkKeys.destinations("gone"), []);
  for await (const { key } of store.kv.list({ prefix: [...linkKeys.word(), "sparse"] })) {
    await store.kv.delete(key);
  }
  const { problems } = await checkLinks(store.kv);
  assert.deepEqual(problems.map((problem) => problem.replaceAll(/%[\w%]+/g, "ID")), [
    "Words of ID are missing in the index.",
    "The index entry #tagged of ID: 0 is stored; it should be 1.",
    "The visits of ID are to be removed, but it is not deleted.",
    "gone has earlier destinations, but it is deleted.",
  ]);
  await drainLinks(app);
});
