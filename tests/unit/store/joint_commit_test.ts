import assert from "node:assert/strict";
import { AppError } from "@/lib/core/errors.ts";
import { createJointCommitter, type JointTx } from "@/lib/store/joint_commit.ts";
import { keyText, readCount, readRecord, toEntry } from "@/lib/store/key.ts";
import { createTestFolder, openTestStore } from "@/tests/helpers/store.ts";
import { openSottoStore } from "@/lib/services/sotto_store.ts";

const HEAD = ["head"];

function write(text: string): (tx: JointTx) => Promise<number> {
  return (tx) => {
    const id = tx.takeId();
    tx.set(["item", id], text);
    tx.sum(["count"], 1n);
    return Promise.resolve(id);
  };
}

Deno.test("concurrent changes share few commits, each with its own id", async () => {
  using store = await openTestStore();
  const committer = createJointCommitter<number>(store, HEAD);
  const ids = await Promise.all(Array.from({ length: 200 }, (_, at) => committer.run(write(`${at}`))));
  assert.equal(new Set(ids).size, 200);
  assert.equal(await readCount(store.kv, ["count"]), 200n);
  assert.equal(await readRecord(store.kv, HEAD), Math.max(...ids));
  const stamps = new Set<string>();
  for await (const { versionstamp } of store.kv.list({ prefix: ["item"] })) stamps.add(versionstamp);
  assert.ok(stamps.size <= 8, `${stamps.size} commits`);
});

Deno.test("ids ascend in the order of the commits, also with two committers on one file", async () => {
  await using folder = await createTestFolder();
  const path = `${folder.path}/sotto.kv`;
  using one = await openSottoStore(path);
  using other = await openSottoStore(path);
  const committers = [one, other].map((store) => createJointCommitter<number>(store, HEAD));
  const runs: Promise<number>[] = [];
  for (let round = 0; round < 30; round++) {
    for (const committer of committers) {
      for (let at = 0; at < 3; at++) runs.push(committer.run(write(`${round}`)));
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

Deno.test("a refusal fails only its own change and writes none of it", async () => {
  using store = await openTestStore();
  const committer = createJointCommitter<number>(store, HEAD);
  const refuse = (tx: JointTx): Promise<number> => {
    tx.set(["refused"], tx.takeId());
    throw new AppError("BAD_REQUEST", "no");
  };
  const results = await Promise.allSettled([
    committer.run(write("a")),
    committer.run(refuse),
    committer.run(write("b")),
  ]);
  assert.deepEqual(results.map(({ status }) => status), ["fulfilled", "rejected", "fulfilled"]);
  assert.equal(await readRecord(store.kv, ["refused"]), null);
  assert.equal(await readCount(store.kv, ["count"]), 2n);
});

Deno.test("changes of one key are stored one after the other, and none is lost", async () => {
  using store = await openTestStore();
  const committer = createJointCommitter<number>(store, HEAD);
  const add = async (tx: JointTx) => {
    const sum = (await tx.get<number>(["sum"]) ?? 0) + 1;
    tx.set(["sum"], sum);
    return sum;
  };
  const sums = await Promise.all(Array.from({ length: 40 }, () => committer.run(add)));
  assert.deepEqual(sums.toSorted((one, other) => one - other), Array.from({ length: 40 }, (_, at) => at + 1));
  assert.equal(await readRecord(store.kv, ["sum"]), 40);
});

Deno.test("a change to a value that was read runs the work again", async () => {
  using store = await openTestStore();
  const committer = createJointCommitter<string>(store, HEAD);
  let runs = 0;
  const result = await committer.run(async (tx) => {
    const seen = await tx.get<string>(["state"]) ?? "none";
    if (++runs === 1) await store.kv.set(["state"], "new");
    tx.set(["seen"], seen);
    return seen;
  });
  assert.deepEqual([result, runs, await readRecord(store.kv, ["seen"])], ["new", 2, "new"]);
});

Deno.test("a batch too large for one commit is split into several", async () => {
  using store = await openTestStore();
  const committer = createJointCommitter<number>(store, HEAD);
  const text = "x".repeat(60_000);
  const heavy = (tx: JointTx) => {
    const id = tx.takeId();
    tx.weigh(text.length);
    tx.set(["item", id], text);
    return Promise.resolve(id);
  };
  const ids = await Promise.all(Array.from({ length: 40 }, () => committer.run(heavy)));
  assert.equal(new Set(ids).size, 40);
  for (const id of ids) assert.equal(await readRecord<string>(store.kv, ["item", id]), text);
});

Deno.test("drain() settles when everything is stored", async () => {
  using store = await openTestStore();
  const committer = createJointCommitter<number>(store, HEAD);
  const runs = [committer.run(write("a")), committer.run(write("b"))];
  await committer.drain();
  assert.equal(committer.depth, 0);
  assert.equal(await readCount(store.kv, ["count"]), 2n);
  await Promise.all(runs);
});

Deno.test("a change with a key that the store cannot hold fails alone", async () => {
  using store = await openTestStore();
  const committer = createJointCommitter<number>(store, HEAD);
  const long = "😀".repeat(1000);
  const writeLong = (tx: JointTx): Promise<number> => {
    tx.set(["item", long], 1);
    return Promise.resolve(tx.takeId());
  };
  const readLong = async (tx: JointTx): Promise<number> => {
    assert.deepEqual([await tx.get(["item", long]), await tx.peek(["item", long])], [null, null]);
    return tx.takeId();
  };
  const [refused, read, written] = await Promise.allSettled(
    [writeLong, readLong, write("rose")].map((work) => committer.run(work)),
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
  const committer = createJointCommitter<number>(store, HEAD);
  const work = (own: number) => async (tx: JointTx) => {
    assert.equal(await tx.get(["shared"]), "value");
    assert.equal(await tx.peek(["shared"]), "value");
    assert.equal(await tx.get(["own", own]), null);
    tx.set(["own", own], own);
    return tx.takeId();
  };
  const ids = await Promise.all(Array.from({ length: 9 }, (_, at) => committer.run(work(at))));
  assert.equal(new Set(ids).size, 9);
  assert.deepEqual(reads.map((keys) => keys.length), [1, 1, 9]);
  assert.equal(new Set(reads.flat()).size, 11);
});

Deno.test("a change that fails with a shared read runs again with a new one", async () => {
  using store = await openTestStore();
  await store.kv.set(["limit"], 0);
  const committer = createJointCommitter<number>(store, HEAD);
  let runs = 0;
  const id = await committer.run(async (tx) => {
    const limit = await tx.get<number>(["limit"]);
    // Another writer comes first, once.
    if (++runs === 1) await store.kv.set(["limit"], 1);
    if (limit === 0) throw new AppError("BAD_REQUEST", "no");
    return tx.takeId();
  });
  assert.deepEqual([id, runs], [1, 2]);
});
