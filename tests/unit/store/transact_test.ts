import assert from "node:assert/strict";
import { AppError } from "@/lib/core/errors.ts";
import { readCount } from "@/lib/store/key.ts";
import { MAX_CHECKS, MAX_MUTATIONS } from "@/lib/store/kv.ts";
import { transact } from "@/lib/store/transact.ts";
import { openTestStore } from "@/tests/helpers/store.ts";

Deno.test("transact() commits all writes together and returns the work's result", async () => {
  using store = await openTestStore();
  const result = await transact(store, (tx) => {
    tx.set(["a"], 1);
    tx.set(["b"], 2);
    tx.sum(["n"], 2n);
    tx.sum(["n"], 3n);
    return Promise.resolve("done");
  });
  assert.equal(result, "done");
  assert.equal((await store.kv.get(["b"])).value, 2);
  assert.equal(await readCount(store.kv, ["n"]), 5n);
});

Deno.test("transact() shows the work its own writes", async () => {
  using store = await openTestStore();
  await store.kv.set(["a"], "old");
  await transact(store, async (tx) => {
    assert.equal(await tx.get(["a"]), "old");
    tx.set(["a"], "new");
    assert.equal(await tx.get(["a"]), "new");
    tx.delete(["a"]);
    assert.equal(await tx.get(["a"]), null);
  });
  assert.equal((await store.kv.get(["a"])).value, null);
});

Deno.test("transact() writes nothing when the work throws", async () => {
  using store = await openTestStore();
  const failing = transact(store, (tx) => {
    tx.set(["a"], 1);
    throw new AppError("BAD_REQUEST", "no");
  });
  await assert.rejects(failing, { code: "BAD_REQUEST" });
  assert.equal((await store.kv.get(["a"])).value, null);
});

Deno.test("transact() runs the work again after a conflicting write", async () => {
  using store = await openTestStore();
  let runs = 0;
  await transact(store, async (tx) => {
    const before = await tx.get<number>(["n"]) ?? 0;
    if (runs++ === 0) await store.kv.set(["n"], 10);
    tx.set(["n"], before + 1);
  });
  assert.equal(runs, 2);
  assert.equal((await store.kv.get(["n"])).value, 11);
  assert.equal(store.tally.conflicts, 1);
});

Deno.test("transact() does not refuse because of an inconsistent read", async () => {
  using store = await openTestStore();
  await store.kv.atomic().set(["left"], 1).set(["right"], 1).commit();
  let runs = 0;
  const sum = await transact(store, async (tx) => {
    const left = await tx.get<number>(["left"]) ?? 0;
    // Another writer keeps both values equal, between the two reads of the first run.
    if (++runs === 1) await store.kv.atomic().set(["left"], 2).set(["right"], 2).commit();
    const right = await tx.get<number>(["right"]) ?? 0;
    if (left !== right) throw new AppError("BAD_REQUEST", "They differ.");
    return left + right;
  });
  assert.deepEqual([sum, runs], [4, 2]);
});

Deno.test("transact() throws CONFLICT when writers keep interfering", async () => {
  using store = await openTestStore();
  const beaten = transact(store, async (tx) => {
    await tx.get(["n"]);
    await store.kv.set(["n"], crypto.randomUUID());
    tx.set(["n"], "mine");
  });
  await assert.rejects(beaten, { code: "CONFLICT" });
});

Deno.test("transact() loses none of 100 parallel edits, with or without a lock", async () => {
  using store = await openTestStore();
  const edit = (queue?: string) =>
    transact(store, async (tx) => tx.set(["n"], (await tx.get<number>(["n"]) ?? 0) + 1), queue);
  await Promise.all(Array.from({ length: 100 }, () => edit("n")));
  assert.equal(store.tally.conflicts, 0);
  await Promise.all(Array.from({ length: 8 }, () => edit()));
  assert.equal((await store.kv.get(["n"])).value, 108);
});

Deno.test("transact() refuses a change that exceeds the store's limit", async () => {
  using store = await openTestStore();
  const write = (count: number) =>
    transact(store, (tx) => {
      for (let at = 0; at < count; at++) tx.set(["a", at], at);
      return Promise.resolve();
    });
  await write(MAX_MUTATIONS);
  await assert.rejects(write(MAX_MUTATIONS + 1), RangeError);
  const read = transact(store, async (tx) => {
    for (let at = 0; at <= MAX_CHECKS; at++) await tx.get(["a", at]);
  });
  await assert.rejects(read, RangeError);
});

Deno.test("transact() distinguishes a store that cannot be written from a conflict", async () => {
  const store = await openTestStore();
  store[Symbol.dispose]();
  const failing = transact(store, (tx) => Promise.resolve(tx.set(["a"], 1)));
  await assert.rejects(failing, { code: "UNAVAILABLE" });
  assert.deepEqual([store.tally.writable, store.tally.failures], [false, 1]);
});

Deno.test("nextId() counts from 1 without gaps under parallel use", async () => {
  using store = await openTestStore();
  const take = () => transact(store, (tx) => tx.nextId("things"), "things");
  const ids = await Promise.all(Array.from({ length: 50 }, take));
  assert.deepEqual(ids.sort((a, b) => a - b), Array.from({ length: 50 }, (_, at) => at + 1));
});
