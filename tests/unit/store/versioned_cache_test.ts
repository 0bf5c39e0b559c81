import assert from "node:assert/strict";
import { createVersionedCache } from "@/lib/store/versioned_cache.ts";

/** Creates a cache of two names whose reads are recorded. */
function createRecordedCache() {
  const loaded: string[] = [];
  const cache = createVersionedCache(2);
  const get = (name: string, version: number) =>
    cache.get(name, version, () => {
      loaded.push(`${name}${version}`);
      return Promise.resolve(`${name}${version}`);
    });
  return { cache, get, loaded };
}

Deno.test("a versioned cache loads each version once, also for concurrent callers", async () => {
  const { get, loaded } = createRecordedCache();
  assert.deepEqual(await Promise.all([get("a", 1), get("a", 1)]), ["a1", "a1"]);
  assert.equal(await get("a", 2), "a2");
  assert.equal(await get("a", 2), "a2");
  assert.deepEqual(loaded, ["a1", "a2"]);
});

Deno.test("a versioned cache drops the least recently used name when it is full", async () => {
  const { get, loaded } = createRecordedCache();
  for (const name of ["a", "b", "a", "c", "a", "b"]) await get(name, 1);
  assert.deepEqual(loaded, ["a1", "b1", "c1", "b1"]);
});

Deno.test("a versioned cache does not keep a failure", async () => {
  const { cache, get, loaded } = createRecordedCache();
  const failure = new Error("The store is closed");
  await assert.rejects(cache.get("a", 1, () => Promise.reject(failure)), failure);
  assert.equal(await get("a", 1), "a1");
  assert.deepEqual(loaded, ["a1"]);
});

/** Creates a cache of sized values whose reads are recorded. */
function createSizedCache(maxSize: number) {
  const loaded: string[] = [];
  const cache = createVersionedCache(2, maxSize);
  const get = (name: string, version: string, value: { size: number; isSettled?: boolean } = { size: 10 }) =>
    cache.getSized<{ size: number }>(name, [version], (previous) => {
      loaded.push(`${name}${version}${previous === undefined ? "" : " again"}`);
      return Promise.resolve(value);
    });
  return { get, loaded };
}

Deno.test("a versioned cache loads each version of a sized value once, with the value before", async () => {
  const { get, loaded } = createSizedCache(1000);
  await Promise.all([get("a", "1"), get("a", "1")]);
  await get("a", "2");
  await get("a", "2");
  assert.deepEqual(loaded, ["a1", "a2 again"]);
});

Deno.test("a versioned cache drops the least recently used of the sized values that exceed its size", async () => {
  const { get, loaded } = createSizedCache(30);
  for (const name of ["a", "b", "a", "c", "a", "b"]) await get(name, "1");
  assert.deepEqual(loaded, ["a1", "b1", "c1", "b1"]);
  await get("large", "1", { size: 31 });
  await get("large", "1", { size: 31 });
  assert.deepEqual(loaded.slice(4), ["large1", "large1"]);
});

Deno.test("a versioned cache keeps no sized value that may mix two versions", async () => {
  const { get, loaded } = createSizedCache(1000);
  await get("a", "1", { size: 1, isSettled: false });
  await get("a", "1");
  assert.deepEqual(loaded, ["a1", "a1"]);
});
