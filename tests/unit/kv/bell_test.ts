import assert from "node:assert/strict";
import { createCommitSignals } from "@/lib/kv/bell.ts";
import { createJointCommitter } from "@/lib/kv/joint_commit.ts";
import { transact } from "@/lib/kv/transact.ts";
import { openTestStore } from "@/tests/helpers/store.ts";

Deno.test("createCommitSignals() calls those who listen for a name, until they do not", () => {
  const bell = createCommitSignals();
  const heard: string[] = [];
  const first = bell.listen("tea", () => heard.push("first"));
  using _second = bell.listen("tea", () => heard.push("second"));
  using _other = bell.listen("coffee", () => heard.push("other"));
  bell.notify(["tea", "milk"]);
  first[Symbol.dispose]();
  bell.notify(["tea"]);
  assert.deepEqual(heard, ["first", "second", "second"]);
});

Deno.test("transact() rings after the commit, and not for what was refused", async () => {
  using store = await openTestStore();
  const found: unknown[] = [];
  using _ears = store.bell.listen("tea", () => found.push(store.kv.get(["tea"])));
  await assert.rejects(transact(store, (tx) => {
    tx.ring("tea");
    return Promise.reject(new Error("no tea"));
  }));
  await transact(store, (tx) => {
    tx.ring("tea");
    tx.set(["tea"], "green");
    return Promise.resolve();
  });
  const entries = await Promise.all(found.map(async (entry) => await entry));
  assert.deepEqual(entries.map((entry) => Object(entry).value), ["green"]);
});

Deno.test("a joint commit rings once for all that share it", async () => {
  using store = await openTestStore();
  const committer = createJointCommitter<number>(store, ["seq", "tea"]);
  let rung = 0;
  using _ears = store.bell.listen("tea", () => rung++);
  const cups = Array.from({ length: 10 }, () =>
    committer.run((tx) => {
      const id = tx.takeId();
      tx.set(["cup", id], true);
      tx.ring("tea");
      return Promise.resolve(id);
    }));
  await Promise.all(cups);
  assert.equal(rung, 1);
});
