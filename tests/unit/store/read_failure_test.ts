import assert from "node:assert/strict";
import { AppError } from "@/lib/core/errors.ts";
import { afterCommit } from "@/lib/store/after_commit.ts";
import { ReadFailure } from "@/lib/store/read_failure.ts";
import { transact } from "@/lib/store/transact.ts";
import { FaultyStore } from "@/tests/helpers/faulty_store.ts";

const KEY = ["key"];

Deno.test("reads that the store fails throw ReadFailure", async () => {
  const faulty = await FaultyStore.open();
  using store = faulty.store;
  const { kv } = store;
  const reads = [() => kv.get(KEY), () => kv.getMany([KEY]), () => Array.fromAsync(kv.list({ prefix: [] }))];
  for (const read of reads) {
    faulty.arm({ at: [0], kind: "failure" });
    await assert.rejects(read(), new ReadFailure(new Error("disk I/O error")));
    await read();
  }
  faulty.disarm();
  await assert.rejects(kv.get(["x".repeat(5000)]), TypeError);
});

Deno.test("reads are repeated while the store is locked", async () => {
  const faulty = await FaultyStore.open();
  using store = faulty.store;
  await store.kv.set(KEY, 7);
  faulty.arm({ at: [0], kind: "lock" });
  assert.equal((await store.kv.get(KEY)).value, 7);
  assert.deepEqual(faulty.disarm(), { calls: ["read", "read"], hasFailed: true });
});

Deno.test("transact() does not run work again whose commit was carried out and failed nevertheless", async () => {
  const faulty = await FaultyStore.open();
  using store = faulty.store;
  faulty.arm({ at: [1], kind: "lost_answer" });
  const increment = transact(store, async (tx) => tx.set(KEY, (await tx.get<number>(KEY) ?? 0) + 1));
  await assert.rejects(increment, (error) => error instanceof AppError && error.code === "UNAVAILABLE");
  assert.equal((await store.kv.get(KEY)).value, 1);
});

Deno.test("afterCommit() ignores refusals and a failing store, and passes other errors on", async () => {
  assert.equal(await afterCommit(() => Promise.resolve(3)), 3);
  for (const error of [new AppError("UNAVAILABLE", "No."), new ReadFailure("no")]) {
    assert.equal(await afterCommit(() => Promise.reject(error)), null);
  }
  await assert.rejects(afterCommit(() => Promise.reject(new RangeError("bug"))), RangeError);
});
