import assert from "node:assert/strict";
import { checkLinks } from "@/lib/links/check.ts";
import { migrate } from "@/lib/store/migrate.ts";
import { linkKeys } from "@/lib/links/store.ts";
import { MIGRATIONS } from "@/lib/services/migrations.ts";
import { type LinkManagers, startLinkManagers } from "@/tests/casts/manage_links_cast.ts";

async function search(app: LinkManagers, query: Readonly<Record<string, string>>) {
  const response = await app.manage(`GET /links?${new URLSearchParams(query)}`);
  const { links, ...others } = await response.json();
  assert.equal(response.status, 200, others.message);
  return { ...others, urls: links.map(({ url }: { url: string }) => url.replace(/^https:\/\//, "")) };
}

Deno.test("a search finds links by words of the URL, the title and tags, by host, tag and state", async () => {
  await using app = await startLinkManagers();
  const make = async (url: string, properties: Readonly<Record<string, unknown>> = {}) => {
    app.clock.time += 1000;
    return await app.create({ url: `https://${url}`, ...properties });
  };
  await make("github.com/denoland/deno/issues/12", { tags: ["bug"] });
  await make("docs.github.com/en/rest", { title: "The REST handbook" });
  await make("example.com/caf%C3%A9?topic=Bugs&x=1", { maxVisits: 1 });
  const disabled = await make("m\u00fcnchen.example/rathaus", { isDisabled: true, tags: ["stadt", "bug"] });
  await make("example.org/old", { expiresAt: "2026-11-21T11:00:30Z" });
  const visited = await make("githubber.example/deno");
  await app.statuses(visited);
  app.clock.time = Date.UTC(2026, 10, 21, 11, 1);
  const cases: [Readonly<Record<string, string>>, readonly string[]][] = [
    [{ q: "deno" }, ["githubber.example/deno", "github.com/denoland/deno/issues/12"]],
    [{ q: "GitHub.com/DENO" }, ["github.com/denoland/deno/issues/12"]],
    [{ q: "https://docs.github.com/" }, ["docs.github.com/en/rest"]],
    [{ q: "hand" }, ["docs.github.com/en/rest"]],
    [{ q: "caf\u00e9" }, ["example.com/caf%C3%A9?topic=Bugs&x=1"]],
    [{ q: "m\u00fcnch rat" }, ["m\u00fcnchen.example/rathaus"]],
    [{ q: "bug", order: "oldest" }, [
      "github.com/denoland/deno/issues/12",
      "example.com/caf%C3%A9?topic=Bugs&x=1",
      "m\u00fcnchen.example/rathaus",
    ]],
    [{ q: "#bug" }, ["m\u00fcnchen.example/rathaus", "github.com/denoland/deno/issues/12"]],
    [{ tag: "BUG", status: "active" }, ["github.com/denoland/deno/issues/12"]],
    [{ host: "github.com" }, ["docs.github.com/en/rest", "github.com/denoland/deno/issues/12"]],
    [{ host: "M\u00dcNCHEN.example" }, ["m\u00fcnchen.example/rathaus"]],
    [{ status: "disabled" }, ["m\u00fcnchen.example/rathaus"]],
    [{ status: "expired" }, ["example.org/old"]],
    [{ status: "used_up" }, []],
    [{ q: "example", order: "visits" }, [
      "githubber.example/deno",
      "example.org/old",
      "m\u00fcnchen.example/rathaus",
      "example.com/caf%C3%A9?topic=Bugs&x=1",
    ]],
    [{ order: "visits" }, ["githubber.example/deno"]],
    [{ q: "nothing" }, []],
    [{ q: "?!" }, []],
    [{ q: "lano" }, []],
    [{ q: `#${"\u{1f600}".repeat(249)}` }, []],
    [{ q: "x".repeat(500) }, []],
    [{ tag: "\u{1f600}".repeat(100), host: "x".repeat(255) }, []],
  ];
  for (const [query, urls] of cases) {
    const found = await search(app, query);
    assert.deepEqual([found.urls, found.isComplete], [urls, true], JSON.stringify(query));
  }
  await (await app.manage(`PATCH /links/${encodeURIComponent(disabled)}`, {
    isDisabled: false,
    tags: [],
    title: "Town hall",
  })).body?.cancel();
  assert.deepEqual((await search(app, { status: "disabled" })).urls, []);
  assert.deepEqual((await search(app, { q: "#bug" })).urls, ["github.com/denoland/deno/issues/12"]);
  assert.deepEqual((await search(app, { q: "town" })).urls, ["m\u00fcnchen.example/rathaus"]);
  await (await app.manage(`DELETE /links/${encodeURIComponent(disabled)}?visits=keep`)).body?.cancel();
  assert.deepEqual((await search(app, { q: "town" })).urls, []);
  assert.deepEqual((await search(app, { q: "rathaus" })).urls, []);
  assert.deepEqual((await checkLinks(app.services.store.kv)).problems, []);
});

Deno.test("pages of any search and order show each link once", async () => {
  await using app = await startLinkManagers();
  const urls = Array.from({ length: 57 }, (_, at) => `https://example.com/page${at}`);
  await Promise.all(urls.map((url, at) => app.create({ url, ...(at % 3 === 0 ? { tags: ["third"] } : {}) })));
  const requests: [Readonly<Record<string, string>>, number][] = [
    [{}, 57],
    [{ order: "oldest" }, 57],
    [{ q: "page" }, 57],
    [{ tag: "third", order: "visits" }, 19],
    [{ status: "active" }, 57],
  ];
  for (const [request, count] of requests) {
    const listed: string[] = [];
    for (let cursor: string | null = ""; cursor !== null;) {
      const page: Awaited<ReturnType<typeof search>> = await search(app, {
        ...request,
        limit: "10",
        ...(cursor === "" ? {} : { cursor }),
      });
      assert.ok(page.urls.length > 0 && page.urls.length <= 10);
      listed.push(...page.urls);
      cursor = page.next;
    }
    assert.deepEqual([listed.length, new Set(listed).size], [count, count], JSON.stringify(request));
  }
  for (const cursor of ["x", "1.2", "1.%.3", "99999999", "1.%ff.3", "~", "1~", "*~1", "A~1"]) {
    for (const q of ["", "page"]) {
      const query = new URLSearchParams({ cursor, q });
      assert.equal((await app.manage(`GET /links?${query}`)).status, 400, `${cursor} ${q}`);
    }
  }
});

Deno.test("a page follows the one before when links are created or visited in between", async () => {
  await using app = await startLinkManagers();
  const create = (name: string) => app.create({ url: `https://example.com/${name}` });
  await Promise.all(Array.from({ length: 30 }, (_, at) => create(`first${at}`)));
  app.clock.time++;
  const first = await search(app, { limit: "20" });
  await create("later");
  const second = await search(app, { limit: "20", cursor: first.next });
  assert.equal(new Set([...first.urls, ...second.urls]).size, 30);
  assert.equal(second.next, null);

  const [often = "", some = "", once = ""] = await Promise.all(["often", "some", "once"].map(create));
  for (const short of [often, often, often, some, some, once]) await app.statuses(short);
  assert.equal((await search(app, { limit: "5000" })).urls.length, 34);
  const top = await search(app, { limit: "2", order: "visits" });
  assert.deepEqual(top.urls, ["example.com/often", "example.com/some"]);
  for (let visit = 0; visit < 3; visit++) await app.statuses(some);
  const others = await search(app, { limit: "2", order: "visits", cursor: top.next });
  assert.deepEqual(others.urls, ["example.com/once"]);
});

Deno.test("links of an older version are found after the migration, which may run twice", async () => {
  await using app = await startLinkManagers();
  const { store, links } = app.services;
  const urls = Array.from({ length: 130 }, (_, at) => `https://old.example/word${at}/${"x".repeat(at)}`);
  await Promise.all(urls.map((url) => app.create({ url })));
  await links.indexer.sweep();
  for (const prefix of [linkKeys.word(), linkKeys.unindexed()]) {
    for await (const { key } of store.kv.list({ prefix })) await store.kv.delete(key);
  }
  assert.equal((await search(app, { q: "word77" })).total, 0);
  for (let run = 0; run < 2; run++) {
    await store.kv.set(["schema_version"], 3);
    await migrate(store, MIGRATIONS);
    assert.deepEqual((await search(app, { q: "word77" })).total, 1);
    assert.deepEqual((await search(app, { q: "old.example" })).total, 130);
  }
  assert.deepEqual((await checkLinks(store.kv)).problems, []);
});

Deno.test("a search counts visits of the links on the page only, unless it depends on them", async () => {
  await using app = await startLinkManagers();
  const limited = await app.create({ url: "https://example.com/bean/limited", maxVisits: 1 });
  await app.statuses(limited);
  const urls = Array.from({ length: 30 }, (_, at) => `https://example.com/bean/${at}`);
  await Promise.all(urls.map((url) => app.create({ url })));
  await search(app, { q: "bean", order: "visits" });
  const kinds = new Map<string, number>();
  const { kv } = app.services.store;
  const getMany = kv.getMany.bind(kv);
  kv.getMany = (keys) => {
    for (const [kind] of keys) kinds.set(String(kind), (kinds.get(String(kind)) ?? 0) + 1);
    return getMany(keys);
  };
  const countReads = async (query: Readonly<Record<string, string>>) => {
    kinds.clear();
    const { urls, total } = await search(app, { q: "bean", limit: "2", ...query });
    // Each count of visits reads the link's rank before and after the log.
    return [urls.length, total, kinds.get("link") ?? 0, (kinds.get("link_rank_of") ?? 0) / 2];
  };
  assert.deepEqual(await countReads({}), [2, 31, 0, 2]);
  assert.deepEqual(await countReads({ status: "used_up" }), [1, 1, 0, 2]);
  assert.deepEqual(await countReads({ status: "active" }), [2, 30, 0, 3]);
  assert.deepEqual(await countReads({ order: "visits" }), [2, 31, 0, 33]);
});

Deno.test("a check of links is right while they are indexed", async () => {
  await using app = await startLinkManagers();
  const { links, store } = app.services;
  await app.create({ url: "https://example.com/garden" });
  let listed = 0;
  const list = <T>(selector: Deno.KvListSelector, options?: Deno.KvListOptions) => {
    const isIndex = "prefix" in selector &&
      [linkKeys.word(), linkKeys.unindexed()].some((prefix) => prefix[0] === selector.prefix[0]);
    const isSecond = isIndex && ++listed === 2;
    return (async function* () {
      if (isSecond) await links.indexer.sweep();
      yield* store.kv.list<T>(selector, options);
    })();
  };
  const kv = new Proxy(store.kv, {
    get: (target, name) => {
      if (name === "list") return list;
      const value = Reflect.get(target, name, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
  assert.deepEqual((await checkLinks(kv)).problems, []);
  assert.ok(listed >= 2);
});
