import assert from "node:assert/strict";
import { setImmediate } from "node:timers";
import { CHUNK_BYTES, writeBlob } from "@/lib/kv/blob.ts";
import {
  dropPending,
  notePending,
  type PendingBlob,
  pendingKeys,
  settlePending,
} from "@/lib/kv/pending_blob.ts";
import type { Store } from "@/lib/kv/open.ts";
import { transact } from "@/lib/kv/transact.ts";
import { openTestStore } from "@/tests/helpers/store.ts";

/** Bytes that are stored and have no record yet. */
async function storeBytes(store: Store): Promise<PendingBlob> {
  const pending = await notePending(store, { realmId: 1, now: 1000 });
  const content = new Blob([new Uint8Array(2 * CHUNK_BYTES)]).stream();
  await writeBlob(store, pendingKeys.chunks(pending), content);
  return pending;
}

/** Whether bytes were given a record. */
async function settle(store: Store, pending: PendingBlob): Promise<boolean> {
  const settled = transact(store, (tx) => settlePending(tx, pending));
  return await settled.then(() => true, (error) => {
    assert.equal(error.code, "NOT_FOUND");
    return false;
  });
}

async function chunksOf(store: Store, pending: PendingBlob): Promise<number> {
  const prefix = [...pendingKeys.chunks(pending)];
  return (await Array.fromAsync(store.kv.list({ prefix }))).length;
}

Deno.test("bytes are given one record, and stay then", async () => {
  using store = await openTestStore();
  const pending = await storeBytes(store);
  assert.equal(await settle(store, pending), true);
  assert.equal(await settle(store, pending), false);
  await dropPending(store, pending);
  assert.equal(await chunksOf(store, pending), 2);
});

Deno.test("bytes that are removed while somebody gives them a record are whole, or have none", async () => {
  using store = await openTestStore();
  for (let round = 0; round < 50; round++) {
    const pending = await storeBytes(store);
    const dropped = dropPending(store, pending);
    for (let turn = round % 5; turn > 0; turn--) await new Promise((resolve) => setImmediate(resolve));
    const [isSettled] = await Promise.all([settle(store, pending), dropped]);
    assert.equal(await chunksOf(store, pending), isSettled ? 2 : 0, `round ${round}`);
  }
  assert.deepEqual(await Array.fromAsync(store.kv.list({ prefix: [...pendingKeys.pending] })), []);
});
