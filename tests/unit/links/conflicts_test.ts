import assert from "node:assert/strict";
import { readConfig } from "@/lib/config.ts";
import { createLinksApp, drainLinks } from "@/lib/links/app.ts";
import { checkLinks } from "@/lib/links/check.ts";
import { announceChange } from "@/lib/links/link_cache.ts";
import { linkKeys, readInstanceCounts } from "@/lib/links/store.ts";
import { transact } from "@/lib/store/transact.ts";
import type { Store } from "@/lib/store/open.ts";
import { createFakeClock } from "@/tests/helpers/app.ts";
import { openTestStore } from "@/tests/helpers/store.ts";

/** Returns the kinds of rows that commits wrote which failed because of a check, from now on. */
function watchConflicts({ kv }: Store): readonly string[] {
  const conflicts: string[] = [];
  const begin = kv.atomic.bind(kv);
  kv.atomic = () => {
    const atomic = begin();
    const kinds = new Set<string>();
    const [set, commit] = [atomic.set.bind(atomic), atomic.commit.bind(atomic)];
    return Object.assign(atomic, {
      set(key: Deno.KvKey, value: unknown) {
        kinds.add(String(key[0]));
        return set(key, value);
      },
      async commit() {
        const result = await commit();
        if (!result.ok) conflicts.push(...kinds);
        return result;
      },
    });
  };
  return conflicts;
}

Deno.test("processes that create links and count visits at the same time never conflict", async () => {
  using store = await openTestStore();
  const conflicts = watchConflicts(store);
  const config = readConfig({ KV_URL: ":memory:" });
  const apps = [0, 1, 2].map(() => createLinksApp({ store, clock: createFakeClock(), config }, () => {}));
  await Promise.all(apps.map(async (app, process) => {
    for (let at = 0; at < 100; at++) {
      const url = `https://example.com/${process}/${at}`;
      const shorts = await Promise.all(
        [0, 1, 2].map(() => app.creation.submit({ url, createdAt: app.clock.now() })),
      );
      await Promise.all([...shorts, ...shorts].map((short) => app.visits.submit({ short, at })));
    }
  }));
  // Blocks of ids are taken from one counter.
  assert.deepEqual(conflicts.filter((kind) => !["link_ids_taken", "link_id_series"].includes(kind)), []);
  await Promise.all(apps.map((app) => app.indexer.sweep()));
  await Promise.all(apps.map((app) => app.compactor.catchUp()));
  assert.deepEqual(await readInstanceCounts(store.kv), { urls: 900, visits: 1800 });
  assert.deepEqual(await checkLinks(store.kv), { urls: 900, visits: 1800, problems: [] });
  for (const app of apps) await drainLinks(app);
});

Deno.test("a visit that another process's change of links holds up counts as a conflict", async () => {
  using store = await openTestStore();
  const config = readConfig({ KV_URL: ":memory:" });
  const app = createLinksApp({ store, clock: createFakeClock(), config }, () => {});
  const short = await app.creation.submit({ url: "https://example.com/", createdAt: 0 });
  await app.visits.submit({ short, at: 1 });
  assert.equal(store.tally.conflicts, 0);
  await transact(store, (tx) => announceChange(tx, [short]));
  await app.visits.submit({ short, at: 2 });
  assert.equal(store.tally.conflicts, 1);
  await drainLinks(app);
});

Deno.test("several indexers index links that exceed a commit, each at least once", async () => {
  using store = await openTestStore();
  const config = readConfig({ KV_URL: ":memory:" });
  const apps = [0, 1, 2].map(() => createLinksApp({ store, clock: createFakeClock(), config }, () => {}));
  const [app] = apps;
  await Promise.all(Array.from({ length: 150 }, (_, link) => {
    const words = Array.from({ length: 10 }, (_, word) => `w${link}x${word}`);
    return app?.creation.submit({ url: `https://example.com/${words.join("/")}`, createdAt: link });
  }));
  await Promise.all(apps.map((app) => app.indexer.sweep()));
  assert.deepEqual(await Array.fromAsync(store.kv.list({ prefix: linkKeys.unindexed() })), []);
  assert.deepEqual(await checkLinks(store.kv), { urls: 150, visits: 0, problems: [] });
  for (const app of apps) await drainLinks(app);
});
