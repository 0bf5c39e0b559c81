import { transact } from "@/lib/store/transact.ts";
import { openStore } from "@/lib/store/open.ts";
import assert from "node:assert/strict";
import { AppError } from "@/lib/core/errors.ts";
import { createChangeQueue, type SharedTx, type SharedWork } from "@/lib/store/change_queue.ts";
import { keyText, readCount, readRecord, toEntry } from "@/lib/store/key.ts";
import type { Store } from "@/lib/store/open.ts";
import { MeteredStore } from "@/tests/helpers/round_trips.ts";
import { createTestFolder, openTestStore } from "@/tests/helpers/store.ts";
import { openSottoStore } from "@/lib/services/sotto_store.ts";

const HEAD = ["seq", "head"];
const TOTAL = ["total"];

function write(text: string): (tx: SharedTx) => Promise<number> {
  return async (tx) => {
    const id = await tx.takeId("head");
    tx.set(["item", id], text);
    tx.sum(["count"], 1n);
    return id;
  };
}

Deno.test("concurrent changes share few commits, each with its own id", async () => {
  using store = await openTestStore();
  const queue = createChangeQueue<number>(store);
  const ids = await Promise.all(Array.from({ length: 200 }, (_, at) => queue.submit(write(`${at}`))));
  assert.equal(new Set(ids).size, 200);
  assert.equal(await readCount(store.kv, ["count"]), 200n);
  assert.equal(await readRecord(store.kv, HEAD), Math.max(...ids));
  const stamps = new Set<string>();
  for await (const { versionstamp } of store.kv.list({ prefix: ["item"] })) stamps.add(versionstamp);
  assert.ok(stamps.size <= 8, `${stamps.size} commits`);
});

Deno.test("ids ascend in the order of the commits, also with two queues on one file", async () => {
  await using folder = await createTestFolder();
  const path = `${folder.path}/sotto.kv`;
  using one = await openSottoStore(path);
  using other = await openSottoStore(path);
  const queues = [one, other].map((store) => createChangeQueue<number>(store));
  const runs: Promise<number>[] = [];
  for (let round = 0; round < 30; round++) {
    for (const queue of queues) {
      for (let at = 0; at < 3; at++) runs.push(queue.submit(write(`${round}`)));
    }
    await runs.at(-1);
  }
  const ids = await Promise.all(runs);
  assert.equal(new Set(ids).size, 180);
  const stamps: string[] = [];
  for await (const entry of one.kv.list({ prefix: ["item"] })) stamps.push(toEntry(entry).versionstamp);
  assert.equal(stamps.length, 180);
  assert.deepEqual(stamps, stamps.toSorted());
});

Deno.test("a queue that is alone takes numbers without reads, and reads where another process took some", async () => {
  const metered = await MeteredStore.open();
  const { store } = metered;
  const [queue, other] = [createChangeQueue<number>(store), createChangeQueue<number>(store)];
  const take = (from = queue) => metered.measure(() => from.submit((tx) => tx.takeId("head")));
  const calls: number[] = [];
  for (let at = 0; at < 4; at++) calls.push((await take()).calls);
  assert.deepEqual(calls, [2, 2, 1, 1]);
  await take(other);
  await take();
  assert.equal((await take()).calls, 2);
  assert.equal(await readRecord(store.kv, HEAD), 7);
});

Deno.test("a value that lasts until the next version is read once, and again after a change", async () => {
  const metered = await MeteredStore.open();
  const { store } = metered;
  const key = [1, "topic", 1, "plans"];
  await transact(store, async (tx) => {
    await tx.organization(1);
    tx.set(key, { name: "plans" });
  });
  const found: unknown[] = [];
  const read = () =>
    metered.measure(() =>
      transact(store, async (tx) => {
        found.push(await tx.settled(1, key));
        tx.set([1, "seen"], true);
      })
    );
  assert.deepEqual([(await read()).calls, (await read()).calls], [2, 1]);
  await transact(store, (tx) => {
    tx.delete(key);
    tx.countUp(1);
    return Promise.resolve();
  });
  await read();
  assert.deepEqual(found, [{ name: "plans" }, { name: "plans" }, null]);
});

Deno.test("a refusal fails only its own change and writes none of it", async () => {
  using store = await openTestStore();
  const queue = createChangeQueue<number>(store);
  const refuse = async (tx: SharedTx): Promise<number> => {
    tx.set(["refused"], await tx.takeId("head"));
    throw new AppError("BAD_REQUEST", "no");
  };
  const results = await Promise.allSettled([
    queue.submit(write("a")),
    queue.submit(refuse),
    queue.submit(write("b")),
  ]);
  assert.deepEqual(results.map(({ status }) => status), ["fulfilled", "rejected", "fulfilled"]);
  assert.equal(await readRecord(store.kv, ["refused"]), null);
  assert.equal(await readCount(store.kv, ["count"]), 2n);
});

Deno.test("changes of one key are stored one after the other, and none is lost", async () => {
  using store = await openTestStore();
  const queue = createChangeQueue<number>(store);
  const add = async (tx: SharedTx) => {
    const sum = (await tx.get<number>(["sum"]) ?? 0) + 1;
    tx.set(["sum"], sum);
    return sum;
  };
  const sums = await Promise.all(Array.from({ length: 40 }, () => queue.submit(add)));
  assert.deepEqual(sums.toSorted((one, other) => one - other), Array.from({ length: 40 }, (_, at) => at + 1));
  assert.equal(await readRecord(store.kv, ["sum"]), 40);
});

Deno.test("a change to a value that was read runs the work again", async () => {
  using store = await openTestStore();
  const queue = createChangeQueue<string>(store);
  let runs = 0;
  const result = await queue.submit(async (tx) => {
    const seen = await tx.get<string>(["state"]) ?? "none";
    if (++runs === 1) await store.kv.set(["state"], "new");
    tx.set(["seen"], seen);
    return seen;
  });
  assert.deepEqual([result, runs, await readRecord(store.kv, ["seen"])], ["new", 2, "new"]);
});

Deno.test("a batch too large for one commit is split into several", async () => {
  using store = await openTestStore();
  const queue = createChangeQueue<number>(store);
  const text = "x".repeat(60_000);
  const heavy = async (tx: SharedTx) => {
    const id = await tx.takeId("head");
    tx.weigh(text.length);
    tx.set(["item", id], text);
    return id;
  };
  const ids = await Promise.all(Array.from({ length: 40 }, () => queue.submit(heavy)));
  assert.equal(new Set(ids).size, 40);
  for (const id of ids) assert.equal(await readRecord<string>(store.kv, ["item", id]), text);
});

Deno.test("drain() settles when everything is stored", async () => {
  using store = await openTestStore();
  const queue = createChangeQueue<number>(store);
  const runs = [queue.submit(write("a")), queue.submit(write("b"))];
  await queue.drain();
  assert.equal(queue.depth, 0);
  assert.equal(await readCount(store.kv, ["count"]), 2n);
  await Promise.all(runs);
});

Deno.test("a change with a key that the store cannot hold fails alone", async () => {
  using store = await openTestStore();
  const queue = createChangeQueue<number>(store);
  const long = "😀".repeat(1000);
  const writeLong = (tx: SharedTx): Promise<number> => {
    tx.set(["item", long], 1);
    return tx.takeId("head");
  };
  const readLong = async (tx: SharedTx): Promise<number> => {
    assert.deepEqual([await tx.get(["item", long]), await tx.peek(["item", long])], [null, null]);
    return tx.takeId("head");
  };
  const [refused, read, written] = await Promise.allSettled(
    [writeLong, readLong, write("rose")].map((work) => queue.submit(work)),
  );
  assert.deepEqual([refused?.status, read?.status, written?.status], ["rejected", "fulfilled", "fulfilled"]);
  assert.deepEqual([store.tally.writable, store.tally.failures], [true, 0]);
});

Deno.test("changes of one commit read each key once, and together", async () => {
  using store = await openTestStore();
  await store.kv.set(["shared"], "value");
  const reads: string[][] = [];
  const { kv } = store;
  const getMany = kv.getMany.bind(kv);
  kv.getMany = (keys) => {
    reads.push(keys.map(keyText));
    return getMany(keys);
  };
  const queue = createChangeQueue<number>(store);
  const work = (own: number) => async (tx: SharedTx) => {
    assert.equal(await tx.get(["shared"]), "value");
    assert.equal(await tx.peek(["shared"]), "value");
    assert.equal(await tx.get(["own", own]), null);
    tx.set(["own", own], own);
    return tx.takeId("head");
  };
  const ids = await Promise.all(Array.from({ length: 9 }, (_, at) => queue.submit(work(at))));
  assert.equal(new Set(ids).size, 9);
  assert.deepEqual(reads.map((keys) => keys.length), [1, 9, 1]);
  assert.equal(new Set(reads.flat()).size, 11);
});

Deno.test("a change that fails with a shared read runs again with a new one", async () => {
  using store = await openTestStore();
  await store.kv.set(["limit"], 0);
  const queue = createChangeQueue<number>(store);
  let runs = 0;
  const id = await queue.submit(async (tx) => {
    const limit = await tx.get<number>(["limit"]);
    // Another writer comes first, once.
    if (++runs === 1) await store.kv.set(["limit"], 1);
    if (limit === 0) throw new AppError("BAD_REQUEST", "no");
    return tx.takeId("head");
  });
  assert.deepEqual([id, runs], [1, 2]);
});

/** Adds to a total that stays within 10, and returns it. */
function add(amount: number): SharedWork<number> {
  return async (tx) => {
    tx.set(["added", amount], true);
    const total = (await tx.get<number>(TOTAL) ?? 0) + amount;
    if (total > 10) throw new AppError("BAD_REQUEST", "Too many.");
    tx.set(TOTAL, total);
    return total;
  };
}

/** Returns the numbers of reads and commits of a store from now on. */
function countCalls({ kv }: Store): { reads: number; commits: number } {
  const [getMany, atomic] = [kv.getMany.bind(kv), kv.atomic.bind(kv)];
  const calls = { reads: 0, commits: 0 };
  kv.getMany = (keys) => {
    calls.reads++;
    return getMany(keys);
  };
  kv.atomic = () => {
    calls.commits++;
    return atomic();
  };
  return calls;
}

Deno.test("changes of one value share a commit, in which each sees those before it", async () => {
  using store = await openTestStore();
  const calls = countCalls(store);
  const queue = createChangeQueue<number>(store);
  assert.deepEqual(await Promise.all([1, 2, 3].map((amount) => queue.submit(add(amount)))), [1, 3, 6]);
  assert.deepEqual(calls, { reads: 1, commits: 1 });
});

Deno.test("a change that those before it leave no room leaves nothing, and the others are stored", async () => {
  using store = await openTestStore();
  const queue = createChangeQueue<number>(store);
  const results = await Promise.allSettled([4, 7, 5].map((amount) => queue.submit(add(amount))));
  assert.deepEqual(
    results.map((result) => result.status === "fulfilled" ? result.value : result.reason.code),
    [4, "BAD_REQUEST", 9],
  );
  const added = await Array.fromAsync(store.kv.list({ prefix: ["added"] }), ({ key }) => key.at(-1));
  assert.deepEqual(added, [4, 5]);
});

Deno.test("changes of one value run again when another writer came first", async () => {
  using store = await openTestStore();
  const queue = createChangeQueue<number>(store);
  let runs = 0;
  const work: SharedWork<number> = async (tx) => {
    const total = await add(1)(tx);
    if (runs++ === 0) await store.kv.set(TOTAL, 5);
    return total;
  };
  assert.deepEqual(await Promise.all([queue.submit(work), queue.submit(add(2))]), [6, 8]);
  assert.equal(store.tally.conflicts, 1);
});

Deno.test("a refusal because of a change before it is decided again when that change is not stored", async () => {
  using store = await openTestStore();
  await store.kv.set(TOTAL, 4);
  const queue = createChangeQueue<number>(store);
  const last: SharedWork<number> = async (tx) => {
    try {
      return await add(3)(tx);
    } catch (error) {
      // Another writer makes room, and comes first.
      await store.kv.set(TOTAL, 1);
      throw error;
    }
  };
  assert.deepEqual(await Promise.all([queue.submit(add(5)), queue.submit(last)]), [6, 9]);
});

Deno.test("numbers that a change took after another one are stored with the first", async () => {
  using store = await openTestStore();
  const queue = createChangeQueue<number>(store);
  const work: SharedWork<number> = async (tx) => {
    await add(1)(tx);
    return await tx.takeId("head");
  };
  const ids = await Promise.all([queue.submit(work), queue.submit(work)]);
  assert.deepEqual(ids, ids.toSorted());
  assert.equal(await readRecord(store.kv, HEAD), ids[1]);
  assert.equal(await readRecord(store.kv, TOTAL), 2);
});

Deno.test("a change that fails fails alone", async () => {
  using store = await openTestStore();
  const queue = createChangeQueue<number>(store);
  const failing: SharedWork<number> = () => Promise.reject(new RangeError("broken"));
  const results = await Promise.allSettled([queue.submit(failing), queue.submit(add(1))]);
  assert.deepEqual(results.map(({ status }) => status), ["rejected", "fulfilled"]);
});

Deno.test("a change that is stored is answered although a later commit of its batch fails", async () => {
  using store = await openTestStore();
  let commits = 0;
  const kv = new Proxy(store.kv, {
    get(target, name) {
      if (name === "atomic" && commits++ >= 1) throw new Error("disk I/O error");
      const member: unknown = Reflect.get(target, name);
      return typeof member === "function" ? member.bind(target) : member;
    },
  });
  const queue = createChangeQueue<string>({ ...store, kv });
  const add = (name: string) =>
    queue.submit((tx) => {
      // Two of them do not fit into one commit.
      tx.weigh(500_000);
      tx.set(["item", name], true);
      return Promise.resolve(name);
    });
  const outcomes = await Promise.allSettled([add("one"), add("two")]);
  assert.deepEqual(outcomes.map(({ status }) => status), ["fulfilled", "rejected"]);
  assert.equal((await store.kv.get(["item", "one"])).value, true);
});

Deno.test("what a change peeks at after the organization is not older, also when another process removes it", async () => {
  await using folder = await createTestFolder();
  using one = await openStore(`${folder.path}/sotto.kv`);
  using other = await openStore(`${folder.path}/sotto.kv`);
  await transact(one, (tx) => Promise.resolve(tx.set(["topic"], true)));
  await one.replicas.current(1);
  const remove = () =>
    transact(other, (tx) => {
      tx.delete(["topic"]);
      tx.countUp(1);
      return Promise.resolve();
    });
  let attempts = 0;
  await createChangeQueue<void>(one).submit(async (tx) => {
    attempts++;
    await tx.organization(1);
    const topic = await tx.peek(["topic"]);
    if (attempts === 1) await remove();
    if (topic === null && await tx.get(["topic"]) === null) tx.set(["topic"], true);
    tx.set(["message"], true);
  });
  assert.equal(attempts, 2);
  assert.equal((await one.kv.get(["topic"])).value, true);
});
