import { deleteBlob } from "@/lib/kv/blob.ts";
import { transact, type Tx } from "@/lib/kv/transact.ts";
import type { ChatApp } from "../app.ts";
import { emit } from "../events/emit.ts";
import { useSpace } from "./store_upload.ts";
import { type PendingBlob, uploadKeys, type UploadRecord } from "./upload.ts";

/** Messages that are told of a removed file in its own commit; claims beyond are swept with the next look at them. */
const MAX_CLAIMS = 500;

/**
 * Removes an upload's record with all by which it is found, and tells its owner; `claims` are the messages that link it.
 * Its bytes are removed by `dropRemoved` after the commit.
 */
export async function removeUpload(
  app: ChatApp,
  tx: Tx,
  { realmId, upload, claims }: { realmId: number; upload: UploadRecord; claims: readonly number[] },
): Promise<PendingBlob> {
  const now = app.clock.now();
  const pending = { realm_id: realmId, blob: upload.blob, started_at: now };
  tx.delete(uploadKeys.upload(realmId, upload.id));
  tx.delete(uploadKeys.byPath(realmId, upload.path_id));
  tx.delete([...uploadKeys.ofOwner(realmId, upload.owner_id), upload.id]);
  tx.delete(uploadKeys.claimedAt(realmId, upload.id));
  tx.delete(uploadKeys.unclaimedSince(upload.created_at, realmId, upload.id));
  for (const messageId of claims.slice(0, MAX_CLAIMS)) {
    tx.delete(uploadKeys.claim(realmId, upload.id, messageId));
  }
  // From here on its bytes are left over, whatever keeps them from being removed at once.
  tx.set(uploadKeys.pendingSince(pending), pending);
  const used = await useSpace(app, tx, { realmId, bytes: -upload.size });
  const event = {
    type: "attachment",
    op: "remove",
    attachment: { id: upload.id },
    upload_space_used: used,
  };
  emit(tx, { realmId, now }, { event, audience: [upload.owner_id] });
  return pending;
}

/** Removes the bytes of a removed upload. */
export async function dropRemoved(app: ChatApp, pending: PendingBlob): Promise<void> {
  await deleteBlob(app.store.kv, uploadKeys.blob(pending.realm_id, pending.blob));
  await transact(app.store, (tx) => Promise.resolve(tx.delete(uploadKeys.pendingSince(pending))));
}
