import assert from "node:assert/strict";
import { createBatchedReads } from "@/lib/store/reads.ts";
import { isStorableKey } from "@/lib/store/key.ts";
import { openTestStore } from "@/tests/helpers/store.ts";

Deno.test("BatchedReads.read() returns null for a key that the store cannot hold, and the others' values", async () => {
  using store = await openTestStore();
  await store.kv.set(["garden"], "roses");
  const reads = createBatchedReads(store);
  const long = ["garden", "😀".repeat(1000)];
  assert.deepEqual(
    await Promise.all([reads.read(long), reads.read(["garden"]), reads.read(long)]),
    [null, "roses", null],
  );
});

Deno.test("BatchedReads.read() fails alone when the store refuses its key", async () => {
  using store = await openTestStore();
  await store.kv.set(["garden"], "roses");
  const reads = createBatchedReads(store);
  // The store refuses keys with a symbol.
  const [refused, read, missing] = await Promise.allSettled([
    reads.read([Symbol("x")]),
    reads.read(["garden"]),
    reads.read(["meadow"]),
  ]);
  assert.equal(refused.status, "rejected");
  assert.deepEqual([read, missing], [
    { status: "fulfilled", value: "roses" },
    { status: "fulfilled", value: null },
  ]);
});

Deno.test("BatchedReads.read() reads a key once for all that ask for it in one turn, and again later", async () => {
  using store = await openTestStore();
  await store.kv.set(["garden"], "roses");
  const requested: Deno.KvKey[] = [];
  const getMany = store.kv.getMany.bind(store.kv);
  const kv = Object.assign(store.kv, {
    getMany<T extends readonly unknown[]>(keys: readonly [...{ [K in keyof T]: Deno.KvKey }]) {
      requested.push(...keys);
      return getMany<T>(keys);
    },
  });
  const reads = createBatchedReads({ ...store, kv });
  assert.deepEqual(await Promise.all([reads.read(["garden"]), reads.read(["garden"])]), ["roses", "roses"]);
  assert.deepEqual(requested, [["garden"]]);
  await store.kv.set(["garden"], "tulips");
  assert.equal(await reads.read(["garden"]), "tulips");
});

Deno.test("isStorableKey() accepts exactly the keys that the store accepts", async () => {
  using store = await openTestStore();
  const parts = ["a", "é", "漢", "😀", "\0", "\ud800"];
  for (const part of parts) {
    for (const rest of [[], [1], [true, 2.5], [new Uint8Array([0, 1, 255])]]) {
      const makeKey = (count: number) => ["k", part.repeat(count), ...rest];
      let count = 500;
      while (isStorableKey(makeKey(count + 1))) count++;
      await store.kv.set(makeKey(count), 1);
      await assert.rejects(store.kv.set(makeKey(count + 1), 1), /Key too large/, `${part} ${rest}`);
    }
  }
});
