import assert from "node:assert/strict";
import { setImmediate } from "node:timers";
import { CHUNK_BYTES, writeBlob } from "@/lib/store/blob.ts";
import { type PendingBlob, pendingKeys } from "@/lib/chat/organization/files/model.ts";
import { dropPending, registerPending, settlePending } from "@/lib/chat/organization/pending_blobs.ts";
import type { Store } from "@/lib/store/open.ts";
import { transact } from "@/lib/store/transact.ts";
import { openTestStore } from "@/tests/helpers/store.ts";

/** Stores bytes that have no record yet. */
async function storeBytes(store: Store): Promise<PendingBlob> {
  const pending = await registerPending(store, { realmId: 1, now: 1000 });
  const content = new Blob([new Uint8Array(2 * CHUNK_BYTES)]).stream();
  await writeBlob(store, pendingKeys.chunks(pending), content);
  return pending;
}

/** Settles pending bytes; returns false if they were removed before. */
async function trySettle(store: Store, pending: PendingBlob): Promise<boolean> {
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

Deno.test("pending bytes get one record and are kept", async () => {
  using store = await openTestStore();
  const pending = await storeBytes(store);
  assert.equal(await trySettle(store, pending), true);
  assert.equal(await trySettle(store, pending), false);
  await dropPending(store, pending);
  assert.equal(await chunksOf(store, pending), 2);
});

Deno.test("bytes removed while a record is created for them are complete, or have no record", async () => {
  using store = await openTestStore();
  for (let round = 0; round < 50; round++) {
    const pending = await storeBytes(store);
    const dropped = dropPending(store, pending);
    for (let turn = round % 5; turn > 0; turn--) await new Promise((resolve) => setImmediate(resolve));
    const [isSettled] = await Promise.all([trySettle(store, pending), dropped]);
    assert.equal(await chunksOf(store, pending), isSettled ? 2 : 0, `round ${round}`);
  }
  assert.deepEqual(await Array.fromAsync(store.kv.list({ prefix: [...pendingKeys.pending] })), []);
});
