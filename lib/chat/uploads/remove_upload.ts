import { deleteBlob } from "@/lib/kv/blob.ts";
import { dropPending, type PendingBlob, pendingKeys } from "@/lib/kv/pending_blob.ts";
import type { Tx } from "@/lib/kv/transact.ts";
import type { ChatApp } from "../app.ts";
import { sendEvent } from "../events/emit.ts";
import { useSpace } from "./space.ts";
import { uploadKeys, type UploadRecord } from "./upload.ts";

/** Claims that are removed in the same commit; those beyond go with the bytes. */
const MAX_CLAIMS = 500;

/** An upload without a record, of which the bytes are still there. */
export interface RemovedUpload {
  readonly uploadId: number;
  readonly pending: PendingBlob;
}

/**
 * Removes an upload's record with all by which it is found, and tells its owner; `claims` are the messages that link it.
 * Its bytes are removed by `dropRemoved` after the commit.
 */
export async function removeUpload(
  app: ChatApp,
  tx: Tx,
  { realmId, upload, claims }: { realmId: number; upload: UploadRecord; claims: readonly number[] },
): Promise<RemovedUpload> {
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
  tx.set(pendingKeys.pendingSince(pending), pending);
  const used = await useSpace(app, tx, { realmId, bytes: -upload.size });
  const event = {
    type: "attachment",
    op: "remove",
    attachment: { id: upload.id },
    upload_space_used: used,
  };
  sendEvent(tx, { realmId, now }, { event, audience: [upload.owner_id] });
  return { uploadId: upload.id, pending };
}

/** Removes the bytes of a removed upload, and the claims on it that were too many for one commit. */
export async function dropRemoved(app: ChatApp, { pending, uploadId }: RemovedUpload): Promise<void> {
  await deleteBlob(app.store.kv, uploadKeys.claims(pending.realm_id, uploadId));
  await dropPending(app.store, pending);
}
