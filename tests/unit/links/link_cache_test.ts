import assert from "node:assert/strict";
import { createLinkCache } from "@/lib/links/link_cache.ts";
import { linkKeys } from "@/lib/links/store.ts";
import { openTestStore } from "@/tests/helpers/store.ts";

Deno.test("the link cache drops the least recently used link when it is full", async () => {
  using store = await openTestStore();
  for (const short of ["a", "b", "c"]) {
    await store.kv.set(linkKeys.link(short), { url: `https://example.com/${short}`, createdAt: 1 });
  }
  const cache = createLinkCache(store.kv, { max: 2 });
  await cache.read("a");
  await cache.read("b");
  assert.equal(cache.peek("a")?.url, "https://example.com/a");
  await cache.read("c");
  assert.deepEqual(["a", "b", "c"].map((short) => cache.peek(short)?.short), ["a", undefined, "c"]);
});

Deno.test("the link cache finds a link that is stored after its id was looked up", async () => {
  using store = await openTestStore();
  const cache = createLinkCache(store.kv);
  assert.equal(await cache.read("a"), null);
  await store.kv.set(linkKeys.link("a"), { url: "https://example.com/", createdAt: 1 });
  assert.equal((await cache.read("a"))?.location, "https://example.com/");
});
