import assert from "node:assert/strict";
import { CommitSignals } from "@/lib/store/turns.ts";
import { createChangeQueue } from "@/lib/store/change_queue.ts";
import { transact } from "@/lib/store/transact.ts";
import { openTestStore } from "@/tests/helpers/store.ts";

Deno.test("new CommitSignals() calls the listeners of a name until they unsubscribe", () => {
  const signals = new CommitSignals();
  const calls: string[] = [];
  const first = signals.listen("tea", () => calls.push("first"));
  using _second = signals.listen("tea", () => calls.push("second"));
  using _other = signals.listen("coffee", () => calls.push("other"));
  signals.notify(["tea", "milk"]);
  first[Symbol.dispose]();
  signals.notify(["tea"]);
  assert.deepEqual(calls, ["first", "second", "second"]);
});

Deno.test("transact() notifies after the commit, and not after a refusal", async () => {
  using store = await openTestStore();
  const found: unknown[] = [];
  using _ears = store.signals.listen("tea", () => found.push(store.kv.get(["tea"])));
  await assert.rejects(transact(store, (tx) => {
    tx.notify("tea");
    return Promise.reject(new Error("no tea"));
  }));
  await transact(store, (tx) => {
    tx.notify("tea");
    tx.set(["tea"], "green");
    return Promise.resolve();
  });
  const entries = await Promise.all(found.map(async (entry) => await entry));
  assert.deepEqual(entries.map((entry) => Object(entry).value), ["green"]);
});

Deno.test("a joint commit notifies once for all changes that share it", async () => {
  using store = await openTestStore();
  const queue = createChangeQueue<number>(store);
  let rung = 0;
  using _ears = store.signals.listen("tea", () => rung++);
  const cups = Array.from({ length: 10 }, () =>
    queue.submit(async (tx) => {
      const id = await tx.takeId("tea");
      tx.set(["cup", id], true);
      tx.notify("tea");
      return id;
    }));
  await Promise.all(cups);
  assert.equal(rung, 1);
});
