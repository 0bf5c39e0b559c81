import assert from "node:assert/strict";
import { AppError } from "@/lib/core/errors.ts";
import type { Store } from "@/lib/store/open.ts";
import { createSharedTransactions, type SharedWork } from "@/lib/store/shared_transactions.ts";
import { openTestStore } from "@/tests/helpers/store.ts";

const TOTAL = ["total"];

/** Adds to a total that stays within 10, and returns it. */
function add(amount: number): SharedWork<number> {
  return {
    reads: [TOTAL],
    async run(tx) {
      tx.set(["added", amount], true);
      const total = (await tx.get<number>(TOTAL) ?? 0) + amount;
      if (total > 10) throw new AppError("BAD_REQUEST", "Too many.");
      tx.set(TOTAL, total);
      return total;
    },
  };
}

/** Returns the numbers of reads and commits of a store from now on. */
function countCalls({ kv }: Store): { reads: number; commits: number } {
  const [get, atomic] = [kv.get.bind(kv), kv.atomic.bind(kv)];
  const calls = { reads: 0, commits: 0 };
  kv.get = <T>(...args: Parameters<typeof get>) => {
    calls.reads++;
    return get<T>(...args);
  };
  kv.atomic = () => {
    calls.commits++;
    return atomic();
  };
  return calls;
}

Deno.test("changes of one name share a commit, in which each sees those before it", async () => {
  using store = await openTestStore();
  const calls = countCalls(store);
  const shared = createSharedTransactions(store);
  assert.deepEqual(await Promise.all([1, 2, 3].map((amount) => shared.run("a", add(amount)))), [1, 3, 6]);
  assert.deepEqual(calls, { reads: 1, commits: 1 });
});

Deno.test("a change that is refused leaves nothing, and others that arrive with it are stored", async () => {
  using store = await openTestStore();
  const shared = createSharedTransactions(store);
  const results = await Promise.allSettled([4, 7, 5].map((amount) => shared.run("a", add(amount))));
  assert.deepEqual(
    results.map((result) => result.status === "fulfilled" ? result.value : result.reason.code),
    [
      4,
      "BAD_REQUEST",
      9,
    ],
  );
  const added = await Array.fromAsync(store.kv.list({ prefix: ["added"] }), ({ key }) => key.at(-1));
  assert.deepEqual(added, [4, 5]);
});

Deno.test("changes of one name run again when another writer came first", async () => {
  using store = await openTestStore();
  const shared = createSharedTransactions(store);
  let runs = 0;
  const work: SharedWork<number> = {
    reads: [TOTAL],
    async run(tx) {
      if (runs++ === 0) await store.kv.set(TOTAL, 5);
      return await add(1).run(tx);
    },
  };
  assert.deepEqual(await Promise.all([shared.run("a", work), shared.run("a", add(2))]), [6, 8]);
  assert.equal(store.tally.conflicts, 1);
});

Deno.test("a change that fails fails alone, whatever its name", async () => {
  using store = await openTestStore();
  const shared = createSharedTransactions(store);
  const failing: SharedWork<number> = { reads: [], run: () => Promise.reject(new RangeError("broken")) };
  for (const name of ["a", "b"]) {
    const results = await Promise.allSettled([shared.run("a", failing), shared.run(name, add(1))]);
    assert.deepEqual(results.map(({ status }) => status), ["rejected", "fulfilled"]);
  }
});
