import assert from "node:assert/strict";
import { join } from "node:path";
import { migrate } from "@/lib/store/migrate.ts";
import { MIGRATIONS } from "@/lib/services/migrations.ts";
import { openStore, type Store } from "@/lib/store/open.ts";
import { readRecord } from "@/lib/store/key.ts";
import { checkLinks } from "@/lib/links/check.ts";
import { addLinkStatistics } from "@/lib/links/migrations.ts";
import { linkKeys } from "@/lib/links/store.ts";
import { createTestFolder, failingFrom, openTestStore } from "@/tests/helpers/store.ts";
import { createVisitProcess } from "@/tests/helpers/visits.ts";

const DAY = 86_400_000;

/** Writes links and visits in the format of version 2. */
async function fillVersion2(store: Store): Promise<void> {
  await store.kv.set(["schema_version"], 2);
  for (let link = 0; link < 250; link++) {
    const short = `s${link}`;
    const atomic = store.kv.atomic().sum(["link_count"], 1n);
    atomic.set(["link", short], { url: `https://example.com/${link}`, createdAt: (250 - link) * DAY });
    const visits = link % 5;
    for (let visit = 0; visit < visits; visit++) {
      const times = Float64Array.from([20_000 * DAY + visit * DAY - 1, 20_000 * DAY + visit * DAY]);
      atomic.set(["visit", short, times[0] ?? 0, `b${visit}`], times).sum(["visit_count", short], 2n);
    }
    if (visits > 0) atomic.sum(["visit_count"], BigInt(2 * visits));
    await atomic.commit();
  }
}

async function listAll(store: Store): Promise<string[]> {
  const entries = store.kv.list({ start: [], end: [true] }, { batchSize: 500 });
  return await Array.fromAsync(entries, ({ key, value }) => Deno.inspect([key, value]));
}

Deno.test("a version 2 store gets its days, ranks and order of links, and nothing else changes", async () => {
  using store = await openTestStore();
  await fillVersion2(store);
  const before = await listAll(store);
  await migrate(store, MIGRATIONS);
  assert.equal(await readRecord(store.kv, ["schema_version"]), MIGRATIONS.length + 1);
  const report = await checkLinks(store.kv);
  assert.deepEqual(report, { urls: 250, visits: 1000, problems: [] });
  const first = await readRecord<string[]>(store.kv, linkKeys.made(DAY, "pack-000000000"));
  assert.deepEqual(first?.slice(0, 2), ["s249", "s248"]);
  const after = await listAll(store);
  assert.deepEqual(before.filter((entry) => !after.includes(entry)), ['[ [ "schema_version" ], 2 ]']);
});

Deno.test("an interrupted step starts over", async () => {
  for (let commits = 0; commits < 6; commits++) {
    using store = await openTestStore();
    await fillVersion2(store);
    await addLinkStatistics(failingFrom(store, commits)).catch(() => {});
    await migrate(store, MIGRATIONS);
    assert.deepEqual(await checkLinks(store.kv), { urls: 250, visits: 1000, problems: [] });
  }
});

Deno.test("a process writes nothing when another one has completed the step", async () => {
  using store = await openTestStore();
  await fillVersion2(store);
  let isLate = true;
  const kv = new Proxy(store.kv, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== "function") return member;
      if (name !== "list" || !isLate) return member.bind(target);
      return async function* (...args: unknown[]) {
        isLate = false;
        await migrate(store, MIGRATIONS);
        await createVisitProcess(store).visits.submit({ short: "s1", at: 20_000 * DAY });
        yield* Reflect.apply(member, target, args);
      };
    },
  });
  await addLinkStatistics({ ...store, kv });
  assert.equal(isLate, false);
  assert.deepEqual(await checkLinks(store.kv), { urls: 250, visits: 1001, problems: [] });
});

Deno.test("processes that migrate one store concurrently produce the same result as one", async () => {
  await using folder = await createTestFolder();
  const path = join(folder.path, "sotto.kv");
  using first = await openStore(path);
  using second = await openStore(path);
  await fillVersion2(first);
  await Promise.all([migrate(first, MIGRATIONS), migrate(second, MIGRATIONS)]);
  assert.deepEqual(await checkLinks(first.kv), { urls: 250, visits: 1000, problems: [] });
});

Deno.test("ids of maximum length are migrated, too", async () => {
  using store = await openTestStore();
  await store.kv.set(["schema_version"], 2);
  for (let at = 0; at < 400; at++) {
    const short = "\u{e0061}".repeat(60) + String(at).padStart(8, "0");
    await store.kv.atomic().set(["link", short], { url: "https://example.com/", createdAt: DAY })
      .set(["visit", short, DAY, "b"], Float64Array.of(DAY)).sum(["visit_count", short], 1n)
      .sum(["visit_count"], 1n).sum(["link_count"], 1n).commit();
  }
  await migrate(store, MIGRATIONS);
  assert.deepEqual(await checkLinks(store.kv), { urls: 400, visits: 400, problems: [] });
});
