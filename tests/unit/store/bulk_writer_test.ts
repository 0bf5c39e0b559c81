import assert from "node:assert/strict";
import type { Kv } from "@/lib/store/kv.ts";
import { BulkWriter } from "@/lib/store/bulk_writer.ts";
import { copyEntries } from "@/lib/cli/transfer/copy_entries.ts";
import { readMany } from "@/lib/store/reads.ts";
import { openTestStore } from "@/tests/helpers/store.ts";

Deno.test("a bulk writer commits full batches, and the rest when it is flushed", async () => {
  using store = await openTestStore();
  let commits = 0;
  const writer = new BulkWriter(store.kv, (atomic) => {
    commits++;
    return atomic.commit();
  });
  for (let at = 0; at < 2000; at++) await writer.set(["small", at], at);
  const longest = (at: number) => String(at).padStart(4, "0") + "ü".repeat(1000);
  for (let at = 0; at < 100; at++) await writer.set(["wide", longest(at)], at);
  for (let at = 0; at < 40; at++) await writer.set(["large", at], new Uint8Array(65_000), 65_536);
  await writer.flush();
  await writer.flush();
  for (const [name, count] of [["small", 2000], ["wide", 100], ["large", 40]] as const) {
    assert.equal((await Array.fromAsync(store.kv.list({ prefix: [name] }))).length, count);
  }
  assert.ok(commits < 20, `${commits} commits`);
  for (let at = 0; at < 2000; at++) await writer.delete(["small", at]);
  await writer.flush();
  assert.deepEqual(await Array.fromAsync(store.kv.list({ prefix: ["small"] })), []);
});

Deno.test("copyEntries() copies keys and values of every kind and size", async () => {
  using from = await openTestStore();
  using to = await openTestStore();
  const part = ["text", 7n, true, new Uint8Array([0, 1]), -1.5];
  await from.kv.set(["every", ...part], { at: new Date(0), list: [1, null] });
  await from.kv.set(["sum"], new Deno.KvU64(3n));
  for (let at = 0; at < 30; at++) await from.kv.set(["large", at, "ü".repeat(900)], new Uint8Array(65_000));
  const list = (kv: Kv) =>
    Array.fromAsync(kv.list({ start: [], end: [true] }), ({ key, value }) => [key, value]);
  const count = await copyEntries(from.kv, to.kv);
  assert.deepEqual(await list(to.kv), await list(from.kv));
  assert.equal(count, (await list(from.kv)).length);
});

Deno.test("readMany() returns the entries of many keys in order, including missing ones", async () => {
  using store = await openTestStore();
  for (let at = 0; at < 25; at += 2) await store.kv.set(["n", at], at);
  const keys = Array.from({ length: 25 }, (_, at) => ["n", 24 - at]);
  const values = (await readMany<number>(store.kv, keys)).map(({ value }) => value);
  assert.deepEqual(values, keys.map((_, at) => at % 2 === 0 ? 24 - at : null));
  assert.deepEqual(await readMany(store.kv, []), []);
});
