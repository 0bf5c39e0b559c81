import assert from "node:assert/strict";
import { join } from "node:path";
import { CHUNK_BYTES, deleteBlob, readBlob, writeBlob } from "@/lib/store/blob.ts";
import { durably } from "@/lib/store/durably.ts";
import { keyAfter, keyText } from "@/lib/store/key.ts";
import { migrate } from "@/lib/store/migrate.ts";
import { openStore, StoreError } from "@/lib/store/open.ts";
import { listPage } from "@/lib/store/reads.ts";
import { backOff, isLocked, retryLocked } from "@/lib/store/retry.ts";
import { createTestFolder, openTestStore } from "@/tests/helpers/store.ts";

Deno.test("openStore() creates the parent folders of a new store", async () => {
  await using folder = await createTestFolder();
  using store = await openStore(join(folder.path, "deep/er/sotto.kv"));
  await store.kv.set(["a"], 1);
  assert.equal((await store.kv.get(["a"])).value, 1);
});

Deno.test("openStore() refuses a file that is not a store, names the remedy, and leaves it unchanged", async () => {
  await using folder = await createTestFolder();
  const path = join(folder.path, "sotto.kv");
  await Deno.writeTextFile(path, "these are my notes, not a database, and nobody may overwrite them");
  await assert.rejects(openStore(path), (error: Error) => {
    assert.ok(error instanceof StoreError);
    assert.match(
      error.message,
      /sotto\.kv is damaged \(file is not a database\).*task -q admin restore FILE/,
    );
    return true;
  });
  assert.match(await Deno.readTextFile(path), /^these are my notes/);
});

Deno.test("openStore() detects an overwritten page", async () => {
  await using folder = await createTestFolder();
  const path = join(folder.path, "sotto.kv");
  {
    using store = await openStore(path);
    for (let at = 0; at < 400; at++) await store.kv.set(["a", at], "x".repeat(500));
  }
  const bytes = await Deno.readFile(path);
  bytes.fill(0xaa, 30 * 4096, 31 * 4096);
  await Deno.writeFile(path, bytes);
  await assert.rejects(openStore(path), /is damaged/);
  assert.deepEqual(await Deno.readFile(path), bytes);
});

Deno.test("an empty file is a new store", async () => {
  await using folder = await createTestFolder();
  const path = join(folder.path, "sotto.kv");
  await Deno.writeFile(path, new Uint8Array(0));
  using store = await openStore(path);
  assert.equal(store.path, path);
});

Deno.test("migrate() starts a new store at the latest version and runs each step once on an old one", async () => {
  using store = await openTestStore();
  const ran: string[] = [];
  const steps = [
    { from: 1, to: 2, run: () => Promise.resolve(void ran.push("1 to 2")) },
    { from: 2, to: 5, run: () => Promise.resolve(void ran.push("2 to 5")) },
  ];
  await store.kv.set(["schema_version"], 1);
  await migrate(store, steps);
  await migrate(store, steps);
  assert.deepEqual(ran, ["1 to 2", "2 to 5"]);
  assert.equal((await store.kv.get(["schema_version"])).value, 5);
  using fresh = await openStore(":memory:");
  await migrate(fresh, steps);
  assert.equal(ran.length, 2);
});

Deno.test("migrate() refuses a store of a newer version", async () => {
  using store = await openTestStore();
  await store.kv.set(["schema_version"], 99);
  await assert.rejects(migrate(store, []), /written by a newer version of Sotto/);
});

Deno.test("migrate() continues after an interrupted step", async () => {
  using store = await openTestStore();
  const ran: number[] = [];
  let isInterrupted = true;
  const second = () =>
    isInterrupted ? Promise.reject(new Error("interrupted")) : Promise.resolve(void ran.push(2));
  const steps = [
    { from: 1, to: 2, run: () => Promise.resolve(void ran.push(1)) },
    { from: 2, to: 3, run: second },
  ];
  await store.kv.set(["schema_version"], 1);
  await assert.rejects(migrate(store, steps), /interrupted/);
  isInterrupted = false;
  await migrate(store, steps);
  assert.deepEqual(ran, [1, 2]);
});

Deno.test("retryLocked() retries only while the store is locked", async () => {
  let tries = 0;
  const result = await retryLocked(() => {
    if (++tries < 4) return Promise.reject(new TypeError("database is locked"));
    return Promise.resolve("written");
  });
  assert.deepEqual([result, tries], ["written", 4]);
  await assert.rejects(retryLocked(() => Promise.reject(new Error("disk I/O error"))), /disk I\/O error/);
  assert.equal(isLocked(new Error("disk I/O error")), false);
});

Deno.test("durably() records whether the store accepts writes, and when it recovers", async () => {
  using store = await openTestStore();
  await assert.rejects(durably(store, () => Promise.reject(new Error("disk full"))), { code: "UNAVAILABLE" });
  assert.equal(store.tally.writable, false);
  let tries = 0;
  await durably(
    store,
    () => ++tries < 3 ? Promise.reject(new Error("database is locked")) : Promise.resolve(),
  );
  assert.deepEqual([store.tally.writable, store.tally.locked], [true, 2]);
});

Deno.test("a commit that finds the store locked eight times does not wait longer each time", async () => {
  using store = await openTestStore();
  let tries = 0;
  const commit = async () => {
    await durably(
      store,
      () => ++tries < 9 ? Promise.reject(new Error("database is locked")) : Promise.resolve(),
    );
    return "commit";
  };
  const pauseLonger = async () => {
    for (let attempt = 1; attempt < 9; attempt++) await backOff(attempt);
    return "growing pauses";
  };
  const pauses = pauseLonger();
  assert.equal(await Promise.race([commit(), pauses]), "commit");
  await pauses;
  assert.equal(tries, 9);
});

Deno.test("listPage() returns every entry once, page by page, in both directions", async () => {
  using store = await openTestStore();
  for (let at = 0; at < 25; at++) await store.kv.set(["item", at], at);
  for (const reverse of [false, true]) {
    const seen: number[] = [];
    let cursor: string | null = null;
    do {
      const page: Awaited<ReturnType<typeof listPage<number>>> = await listPage<number>(store.kv, ["item"], {
        limit: 10,
        cursor,
        reverse,
      });
      seen.push(...page.entries.map(({ value }) => value));
      cursor = page.next;
    } while (cursor !== null);
    const expected = Array.from({ length: 25 }, (_, at) => reverse ? 24 - at : at);
    assert.deepEqual(seen, expected);
  }
});

Deno.test("listPage() refuses a foreign cursor", async () => {
  using store = await openTestStore();
  const page = listPage(store.kv, ["item"], { limit: 10, cursor: "!!! no cursor !!!" });
  await assert.rejects(page, { code: "BAD_REQUEST" });
});

Deno.test("a blob reads back whole and in ranges, whatever pieces it was written in", async () => {
  using store = await openTestStore();
  const size = CHUNK_BYTES * 2 + 1234;
  const content = Uint8Array.from({ length: size }, (_, at) => at % 251);
  const pieces = [content.slice(0, 10), content.slice(10, CHUNK_BYTES + 5), content.slice(CHUNK_BYTES + 5)];
  assert.equal(await writeBlob(store, ["blob", 1], ReadableStream.from(pieces)), size);
  const read = async (start: number, end: number) =>
    new Uint8Array(await new Response(readBlob(store.kv, ["blob", 1], { start, end })).arrayBuffer());
  assert.deepEqual(await read(0, size), content);
  assert.deepEqual(
    await read(CHUNK_BYTES - 1, CHUNK_BYTES + 1),
    content.slice(CHUNK_BYTES - 1, CHUNK_BYTES + 1),
  );
  await store.kv.delete(["blob", 1, 1]);
  await assert.rejects(read(0, size), /Chunk 1 .* is missing/);
  await deleteBlob(store, ["blob", 1]);
  for await (const _ of store.kv.list({ prefix: ["blob"] })) assert.fail("a chunk is left");
});

Deno.test("keyText() distinguishes keys of different types, and keyAfter() returns the next key", async () => {
  const keys = [["a", 1], ["a", "1"], ["a", 1n], ["a", true], ["a", new Uint8Array([1])]];
  assert.equal(new Set(keys.map((key) => keyText(key))).size, keys.length);
  using store = await openTestStore();
  for (const key of [["k"], ["k", ""], ["k", 0]]) await store.kv.set(key, 1);
  const listed: Deno.KvKey[] = [];
  for await (const { key } of store.kv.list({ start: keyAfter(["k"]), end: ["l"] })) listed.push(key);
  assert.deepEqual(listed, [["k", ""], ["k", 0]]);
});
