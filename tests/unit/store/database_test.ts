import assert from "node:assert/strict";
import { AppError } from "@/lib/core/errors.ts";
import { afterCommit } from "@/lib/store/durably.ts";
import { Database, ReadFailure, type StartSpan } from "@/lib/store/database.ts";
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

/** Records the spans of a traced database: the calls, and each again when its span fails or ends. */
function recordSpans() {
  const steps: string[] = [];
  const startSpan: StartSpan = (operation, key, size) => {
    const name = [operation, key?.join("/"), size].filter((part) => part !== undefined).join(" ");
    steps.push(name);
    return { fail: () => void steps.push(`${name} fails`), end: () => void steps.push(`${name} ends`) };
  };
  return { steps, startSpan };
}

Deno.test("a traced database ends the span of each call, also of one that fails and of a listing that is left", async () => {
  const { steps, startSpan } = recordSpans();
  using kv = new Database(await Deno.openKv(":memory:"), { startSpan });
  const calls: readonly [names: readonly string[], call: () => Promise<unknown>][] = [
    [["get a"], () => kv.get(["a"])],
    [["get_many a 2"], () => kv.getMany([["a"], ["b"]])],
    [["set b/1"], () => kv.set(["b", 1], 1)],
    [["set b/2"], () => kv.set(["b", 2], 1)],
    [["delete a"], () => kv.delete(["a"])],
    [["commit"], () => kv.atomic().check({ key: ["a"], versionstamp: null }).sum(["c"], 1n).commit()],
    [["list b"], () => Array.fromAsync(kv.list({ prefix: ["b"] }))],
    [["list b"], async () => {
      for await (const _entry of kv.list({ prefix: ["b"] })) break;
    }],
  ];
  for (const [names, call] of calls) {
    steps.length = 0;
    await call();
    assert.deepEqual(steps, names.flatMap((name) => [name, `${name} ends`]));
  }
  steps.length = 0;
  const long = "x".repeat(3000);
  await assert.rejects(kv.get([long]), TypeError);
  assert.deepEqual(steps, [`get ${long}`, `get ${long} fails`, `get ${long} ends`]);
});

Deno.test("a database reads through its reader, counts listed entries, and changes neither connection", async () => {
  const [writer, reader] = [await Deno.openKv(":memory:"), await Deno.openKv(":memory:")];
  await reader.set(["a"], "of the reader");
  let listed = 0;
  {
    using kv = new Database(writer, { reader, onListed: () => listed++ });
    await kv.set(["a"], "of the writer");
    assert.equal((await writer.get(["a"])).value, "of the writer");
    const entries = [await kv.get(["a"]), ...await kv.getMany([["a"]])];
    entries.push(...await Array.fromAsync(kv.list({ prefix: [] })));
    assert.deepEqual(entries.map(({ value }) => value), Array(3).fill("of the reader"));
    // The last step finds the end.
    assert.equal(listed, 2);
    assert.deepEqual([writer, reader].map(Reflect.ownKeys).flat(), []);
  }
  for (const connection of [writer, reader]) await assert.rejects(connection.get(["a"]));
});
