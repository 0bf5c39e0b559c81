import assert from "node:assert/strict";
import { setImmediate } from "node:timers";
import { type BlobStore, CHUNK_BYTES, readBlob, writeBlob } from "@/lib/kv/blob.ts";
import type { Store } from "@/lib/kv/open.ts";
import { openTestStore } from "@/tests/helpers/store.ts";

const KEY = ["blob", 1];
/** Maximum bytes of one commit. */
const COMMIT_BYTES = 6 * CHUNK_BYTES;

/** Returns bytes in which no two kilobytes are equal. */
function pattern(size: number): Uint8Array {
  return Uint8Array.from({ length: size }, (_, at) => (at >> 10) * 31 + at);
}

async function* pieces(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.slice(at, at + size);
}

async function countChunks({ kv }: Store): Promise<number> {
  return (await Array.fromAsync(kv.list({ prefix: KEY }))).length;
}

/** Returns the store with commits that take some turns of the event loop, and fail from one on. */
function slowStore(store: Store, { failFrom = Infinity }: { failFrom?: number } = {}): BlobStore {
  let count = 0;
  const kv = new Proxy(store.kv, {
    get(target, name) {
      if (name !== "atomic") return Reflect.get(target, name).bind(target);
      return () => {
        const atomic = target.atomic();
        const commit = atomic.commit.bind(atomic);
        atomic.commit = async () => {
          for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve));
          if (++count >= failFrom) throw new Error("disk full");
          return await commit();
        };
        return atomic;
      };
    },
  });
  return { ...store, kv };
}

Deno.test("a blob reads back as written, in pieces of any size, also while commits are slow", async () => {
  using store = await openTestStore();
  const sizes = [0, 1, CHUNK_BYTES, COMMIT_BYTES, COMMIT_BYTES + 1, 3 * COMMIT_BYTES + 4321];
  for (const [number, size] of sizes.entries()) {
    const bytes = pattern(size);
    const key = ["blobs", number];
    assert.equal(await writeBlob(slowStore(store), key, pieces(bytes, 7919)), size);
    const read = readBlob(store.kv, key, { start: 0, end: size });
    assert.ok(new Uint8Array(await new Response(read).arrayBuffer()).every((byte, at) => byte === bytes[at]));
  }
});

Deno.test("no further chunk is written after the content fails", async () => {
  using store = await openTestStore();
  async function* broken() {
    yield pattern(2 * COMMIT_BYTES);
    throw new Error("gone");
  }
  await assert.rejects(writeBlob(slowStore(store), KEY, broken()), /gone/);
  const written = await countChunks(store);
  // Blobs are written one after the other: a write begun earlier would be visible after this one.
  await writeBlob(slowStore(store), ["another"], pieces(pattern(1), 1));
  assert.deepEqual([written, await countChunks(store)], [12, 12]);
});

Deno.test("a failed commit is reported, and no later one is attempted", async () => {
  using store = await openTestStore();
  for (const failFrom of [1, 2, 4]) {
    const content = pieces(pattern(4 * COMMIT_BYTES - 10), COMMIT_BYTES);
    const failing = writeBlob(slowStore(store, { failFrom }), ["blobs", failFrom], content);
    await assert.rejects(failing, { code: "UNAVAILABLE" });
    const chunks = await Array.fromAsync(store.kv.list({ prefix: ["blobs", failFrom] }));
    assert.equal(chunks.length, (failFrom - 1) * 6);
  }
});
