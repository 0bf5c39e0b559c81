import assert from "node:assert/strict";
import { BulkWriter } from "@/lib/store/bulk_writer.ts";
import { listAll } from "@/lib/store/reads.ts";

Deno.test("listAll() continues after failed reads without leaving out or repeating an entry", async () => {
  using kv = await Deno.openKv(":memory:");
  const writer = new BulkWriter(kv);
  for (let at = 0; at < 1000; at++) await writer.set([at % 2 === 0 ? "even" : at, at, new Uint8Array()], at);
  await writer.flush();
  const list = kv.list.bind(kv);
  const wanted = await Array.fromAsync(list({ start: [], end: [true] }));
  let reads = 0;
  Object.assign(kv, {
    list<T>(...args: Parameters<typeof list>) {
      const listing = list<T>(...args);
      const next = listing.next.bind(listing);
      const fail = () => Promise.reject(new Error("The store cannot be reached."));
      return Object.assign(listing, { next: () => ++reads % 70 === 0 ? fail() : next() });
    },
  });
  const found = await Array.fromAsync(listAll(kv));
  assert.ok(reads > wanted.length + 10, String(reads));
  assert.deepEqual(found, wanted);
});

Deno.test("listAll() fails when the store stays away", async () => {
  using kv = await Deno.openKv(":memory:");
  const fail = () => {
    throw new Error("The store cannot be reached.");
  };
  Object.assign(kv, { list: fail });
  await assert.rejects(Array.fromAsync(listAll(kv)), /cannot be reached/);
});
