import assert from "node:assert/strict";
import { yieldToEventLoop } from "@/lib/core/yield_to_event_loop.ts";
import { transact } from "@/lib/store/transact.ts";
import { announceChange, LinkCache } from "@/lib/links/link_cache.ts";
import { listCandidates } from "@/lib/links/search/candidates.ts";
import { parseFilter } from "@/lib/links/search/link_query.ts";
import { linkKeys } from "@/lib/links/store.ts";
import { openTestStore } from "@/tests/helpers/store.ts";

Deno.test("the link cache drops the least recently used link when it is full", async () => {
  using store = await openTestStore();
  const note = "x".repeat(60_000);
  const shorts = Array.from({ length: 300 }, (_, at) => `s${at}`);
  for (const short of shorts) {
    await store.kv.set(linkKeys.link(short), { url: `https://example.com/${short}`, createdAt: 1, note });
  }
  const cache = new LinkCache(store, []);
  for (const short of shorts) {
    await cache.read(short);
    assert.equal((await cache.read("s0"))?.url, "https://example.com/s0");
  }
  for (const short of shorts) await store.kv.delete(linkKeys.link(short));
  const cached = await cache.readAll(shorts);
  assert.ok(cached.size > 200 && cached.size < 300, `${cached.size} links`);
  assert.deepEqual([cached.has("s0"), cached.has("s1"), cached.has("s299")], [true, false, true]);
});

Deno.test("the link cache finds a link that is stored after its id was looked up", async () => {
  using store = await openTestStore();
  const cache = new LinkCache(store, []);
  assert.equal(await cache.read("a"), null);
  await store.kv.set(linkKeys.link("a"), { url: "https://example.com/", createdAt: 1 });
  assert.equal((await cache.read("a"))?.location, "https://example.com/");
});

Deno.test("the link cache reads stored links once, and again after any process changed them", async () => {
  using store = await openTestStore();
  const put = (short: string, title: string) =>
    transact(store, async (tx) => {
      tx.set(linkKeys.link(short), { url: `https://example.com/${short}`, createdAt: 1, title });
      await announceChange(tx, [short]);
    });
  await put("a", "Beans");
  await put("b", "Peas");
  const keys: Deno.KvKey[] = [];
  const getMany = store.kv.getMany.bind(store.kv);
  store.kv.getMany = (read) => {
    keys.push(...read);
    return getMany(read);
  };
  const cache = new LinkCache(store, []);
  const readTitles = async () => {
    await cache.refresh();
    const links = await cache.readAll(["b", "none", "a"]);
    return ["b", "none", "a"].map((short) => links.get(short)?.title);
  };
  assert.deepEqual(await readTitles(), ["Peas", undefined, "Beans"]);
  await put("b", "Kale");
  keys.length = 0;
  assert.deepEqual(await readTitles(), ["Kale", undefined, "Beans"]);
  assert.deepEqual(keys, [linkKeys.link("b"), linkKeys.link("none")]);
});

Deno.test("refreshes of the link cache that wait for a slow read share the next one", async () => {
  using store = await openTestStore();
  const cache = new LinkCache(store, []);
  await cache.refresh();
  const get = store.kv.get.bind(store.kv);
  const read = Promise.withResolvers<void>();
  let reads = 0;
  store.kv.get = async <T>(...args: Parameters<typeof get>) => {
    reads++;
    await read.promise;
    return await get<T>(...args);
  };
  const refreshes = [cache.refresh()];
  while (reads === 0) await yieldToEventLoop();
  // Requests that arrive one after another, each in a turn of its own.
  for (let turn = 0; turn < 20; turn++) {
    refreshes.push(cache.refresh());
    await yieldToEventLoop();
  }
  read.resolve();
  await Promise.all(refreshes);
  assert.equal(reads, 2);
});

Deno.test("a search looks up a few of its conditions, however many it has", async () => {
  using store = await openTestStore();
  const list = store.kv.list.bind(store.kv);
  let listings = 0;
  store.kv.list = <T>(...args: Parameters<typeof list>) => (listings++, list<T>(...args));
  const many = Array.from({ length: 60 }, (_, at) => `name${at}`);
  const filter = parseFilter({ q: many.map((name) => `${name} #${name}`).join(" "), host: many.join(".") });
  await listCandidates(store.kv, filter, 3);
  // A word may be one of a URL, a title or a tag.
  assert.equal(listings, 5 + 3 * 5 + 5);
});

Deno.test("a search for one word ends with the links that it compares", async () => {
  using store = await openTestStore();
  for (let batch = 100; batch < 220; batch++) {
    // Earlier versions wrote ids in place of numbers.
    const shorts = [`${batch}a`, `${batch}b`];
    if (batch % 2 === 1) await store.kv.set(linkKeys.word("bean", `batch ${batch}`), shorts);
    else {
      await store.kv.atomic().set(linkKeys.word("bean", `batch ${batch}`), Uint8Array.of(0, 2))
        .set(linkKeys.wordBatch(`batch ${batch}`), [shorts[0], "other", shorts[1]]).commit();
    }
  }
  const list = store.kv.list.bind(store.kv);
  let listed = 0;
  store.kv.list = <T>(...args: Parameters<typeof list>) => {
    const listing = list<T>(...args);
    const next = listing.next.bind(listing);
    return Object.assign(listing, { next: () => (listed++, next()) });
  };
  const filter = parseFilter({ q: "bean" });
  const found = await listCandidates(store.kv, filter, 3);
  assert.deepEqual(found, { shorts: ["100a", "100b", "101a"], isComplete: false });
  assert.equal(listed, 100);
});
