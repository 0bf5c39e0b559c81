import assert from "node:assert/strict";
import { Cache } from "@/lib/store/cache.ts";

/** Creates a cache whose loads are recorded. */
function createRecordedCache(maxSize = 1000) {
  const loaded: string[] = [];
  const cache = new Cache(maxSize);
  const get = (name: string, version: number, value: { size: number; isSettled?: boolean } = { size: 10 }) =>
    cache.get<{ size: number }>(name, [version], (previous) => {
      loaded.push(`${name}${version}${previous === undefined ? "" : " again"}`);
      return Promise.resolve(value);
    });
  return { cache, get, loaded };
}

Deno.test("a cache loads each version of a value once, also for concurrent callers, with the value before", async () => {
  const { get, loaded } = createRecordedCache();
  await Promise.all([get("a", 1), get("a", 1)]);
  await get("a", 2);
  await get("a", 2);
  assert.deepEqual(loaded, ["a1", "a2 again"]);
});

Deno.test("a cache loads a value again when one of the objects that it was made from is another", async () => {
  const cache = new Cache();
  const [users, channels] = [{}, {}];
  const get = (...sources: unknown[]) => cache.get("a", sources, () => Promise.resolve({ size: 1, sources }));
  const first = await get(users, channels);
  assert.equal(await get(users, channels), first);
  assert.notEqual(await get(users, {}), first);
});

Deno.test("a cache drops the least recently used of the values that exceed its size", async () => {
  const { get, loaded } = createRecordedCache(30);
  for (const name of ["a", "b", "a", "c", "a", "b"]) await get(name, 1);
  assert.deepEqual(loaded, ["a1", "b1", "c1", "b1"]);
  await get("large", 1, { size: 31 });
  await get("large", 1, { size: 31 });
  assert.deepEqual(loaded.slice(4), ["large1", "large1"]);
});

Deno.test("a cache does not keep a failure", async () => {
  const { cache, get, loaded } = createRecordedCache();
  const failure = new Error("The store is closed");
  await assert.rejects(cache.get("a", [1], () => Promise.reject(failure)), failure);
  await get("a", 1);
  assert.deepEqual(loaded, ["a1"]);
});

Deno.test("a cache keeps no value that may mix two versions", async () => {
  const { get, loaded } = createRecordedCache();
  await get("a", 1, { size: 1, isSettled: false });
  await get("a", 1);
  assert.deepEqual(loaded, ["a1", "a1"]);
});

Deno.test("a value that was read at a version is found for it and for earlier ones, and replaced by newer ones", () => {
  const cache = new Cache();
  const find = (version: number) => cache.find<string[]>("a", version);
  cache.keep("a", 2, ["second"], 1);
  assert.deepEqual([find(1), find(2), find(3)], [["second"], ["second"], undefined]);
  // A reading that began earlier may end later.
  cache.keep("a", 1, ["first"], 1);
  assert.deepEqual(find(1), ["second"]);
  cache.keep("a", 3, ["third"], 1);
  assert.deepEqual(find(3), ["third"]);
});
