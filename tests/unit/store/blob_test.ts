import assert from "node:assert/strict";
import { setImmediate } from "node:timers";
import {
  appendBlob,
  type BlobStore,
  BlobWrites,
  CHUNK_BYTES,
  readBlob,
  writeBlob,
} from "@/lib/store/blob.ts";
import type { Store } from "@/lib/store/open.ts";
import { openTestStore } from "@/tests/helpers/store.ts";

const KEY = ["blob", 1];
/** Maximum bytes of one commit. */
const COMMIT_BYTES = 6 * CHUNK_BYTES;
/** Maximum bytes of a blob's first commit, and of all while many blobs are written. */
const SMALL_COMMIT_BYTES = 3 * CHUNK_BYTES;

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

/** Faults of commits, and a function that receives the number of bytes of each one. */
interface SlowCommits {
  readonly failFrom?: number;
  readonly onStored?: (bytes: number) => void;
}

/** Returns the store with commits that take some turns of the event loop, and fail from one on. */
function slowStore(store: Store, { failFrom = Infinity, onStored }: SlowCommits = {}): BlobStore {
  let count = 0;
  const kv = new Proxy(store.kv, {
    get(target, name) {
      if (name !== "atomic") return Reflect.get(target, name).bind(target);
      return () => {
        const atomic = target.atomic();
        const commit = atomic.commit.bind(atomic);
        const set = atomic.set.bind(atomic);
        let size = 0;
        atomic.set = (key, value, options) => {
          if (value instanceof Uint8Array) size += value.length;
          return set(key, value, options);
        };
        atomic.commit = async () => {
          for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve));
          if (++count >= failFrom) throw new Error("disk full");
          const result = await commit();
          onStored?.(size);
          return result;
        };
        return atomic;
      };
    },
  });
  return { blobWrites: new BlobWrites({ ...store, kv }) };
}

Deno.test("a blob reads back as written, in pieces of any size, also while commits are slow", async () => {
  using store = await openTestStore();
  const sizes = [
    0,
    1,
    8 * 1024,
    8 * 1024 + 1,
    CHUNK_BYTES,
    SMALL_COMMIT_BYTES,
    COMMIT_BYTES,
    COMMIT_BYTES + 1,
    3 * COMMIT_BYTES + 4321,
  ];
  for (const [number, size] of sizes.entries()) {
    const bytes = pattern(size);
    const key = ["blobs", number];
    assert.equal(await writeBlob(slowStore(store), key, pieces(bytes, 7919)), size);
    const read = readBlob(store.kv, key, { start: 0, end: size });
    assert.ok(new Uint8Array(await new Response(read).arrayBuffer()).every((byte, at) => byte === bytes[at]));
  }
});

Deno.test("many blobs that are written at once hold one small buffer each", async () => {
  using store = await openTestStore();
  const count = 30;
  const bytes = pattern(3 * COMMIT_BYTES);
  let [held, most] = [0, 0];
  async function* content() {
    for await (const piece of pieces(bytes, CHUNK_BYTES)) {
      most = Math.max(most, held += piece.length);
      yield piece;
    }
  }
  const onStored = (size: number) => void (held -= size);
  const keys = Array.from({ length: count }, (_, number) => ["blobs", number]);
  const slow = slowStore(store, { onStored });
  await Promise.all(keys.map((key) => writeBlob(slow, key, content())));
  // The first writers begin before the others are known, and a piece may wait for its buffer.
  assert.ok(
    most <= count * (SMALL_COMMIT_BYTES + CHUNK_BYTES) + 5 * COMMIT_BYTES,
    `${most / CHUNK_BYTES} chunks`,
  );
  assert.equal(held, 0);
  for (const key of keys) {
    const read = readBlob(store.kv, key, { start: 0, end: bytes.length });
    assert.ok(new Uint8Array(await new Response(read).arrayBuffer()).every((byte, at) => byte === bytes[at]));
  }
});

Deno.test("a blob beside many slow ones is stored in small commits, and alone in large ones", async () => {
  using store = await openTestStore();
  const commits: number[] = [];
  const blobs = slowStore(store, { onStored: (size) => void commits.push(size) });
  const largest = async () => {
    commits.length = 0;
    await writeBlob(blobs, KEY, pieces(pattern(3 * COMMIT_BYTES), CHUNK_BYTES));
    return Math.max(...commits);
  };
  {
    using others = new DisposableStack();
    for (let count = 0; count < 32; count++) others.use(blobs.blobWrites.enter());
    assert.equal(await largest(), SMALL_COMMIT_BYTES);
  }
  assert.equal(await largest(), COMMIT_BYTES);
});

Deno.test("blobs whose progress takes large records share only commits that the store takes", async () => {
  using store = await openTestStore();
  const record = "r".repeat(50_000);
  const append = (number: number) =>
    appendBlob(store, ["blobs", number], {
      content: pieces(pattern(1000), 1000),
      firstChunk: 0,
      recordProgress: (commit, size) => commit.set(["progress", number], { record, size }),
      recordBytes: record.length + 100,
    });
  await Promise.all(Array.from({ length: 40 }, (_, number) => append(number)));
  assert.equal((await Array.fromAsync(store.kv.list({ prefix: ["progress"] }))).length, 40);
});

Deno.test("no further chunk is written after the content fails", async () => {
  using store = await openTestStore();
  async function* broken() {
    yield pattern(SMALL_COMMIT_BYTES + COMMIT_BYTES);
    throw new Error("gone");
  }
  await assert.rejects(writeBlob(slowStore(store), KEY, broken()), /gone/);
  const written = await countChunks(store);
  // Blobs are written one after the other: a write begun earlier would be visible after this one.
  await writeBlob(slowStore(store), ["another"], pieces(pattern(1), 1));
  assert.deepEqual([written, await countChunks(store)], [9, 9]);
});

Deno.test("a failed commit is reported, and no later one is attempted", async () => {
  using store = await openTestStore();
  for (const failFrom of [1, 2, 4]) {
    const content = pieces(pattern(4 * COMMIT_BYTES - 10), COMMIT_BYTES);
    const failing = writeBlob(slowStore(store, { failFrom }), ["blobs", failFrom], content);
    await assert.rejects(failing, { code: "UNAVAILABLE" });
    const chunks = await Array.fromAsync(store.kv.list({ prefix: ["blobs", failFrom] }));
    assert.equal(chunks.length, failFrom === 1 ? 0 : 3 + (failFrom - 2) * 6);
  }
});
