import { deleteBlob } from "@/lib/store/blob.ts";
import type { Tx } from "@/lib/store/transact.ts";
import type { ChatApp } from "../app.ts";
import { countRemovedFile } from "../statistics/store.ts";
import { sendAttachmentRemoveEvent } from "./events.ts";
import { type PendingBlob, pendingKeys, uploadKeys, type UploadRecord } from "./model.ts";
import { dropPending, useUploadSpace } from "./store.ts";

/**
 * Maximum number of attachment references removed in the same commit; `deleteRemovedBlob` removes the others.
 */
const MAX_REFERENCES = 500;

/** An upload whose record is removed and whose bytes are still stored. */
export interface RemovedUpload {
  readonly realmId: number;
  readonly uploadId: number;
  /** The bytes of the file and of its thumbnail. */
  readonly pending: readonly PendingBlob[];
}

/**
 * Removes an upload's record, index entries and references, and sends its owner an event. `references` are
 * the ids of the messages that link it. Call `deleteRemovedBlob` after the commit to remove the bytes.
 */
export async function removeUpload(
  app: ChatApp,
  tx: Tx,
  { realmId, upload, references }: { realmId: number; upload: UploadRecord; references: readonly number[] },
): Promise<RemovedUpload> {
  const now = app.clock.now();
  const blobs = [
    upload.blob,
    ...(upload.image?.thumbnail === undefined ? [] : [upload.image.thumbnail.blob]),
  ];
  const pending = blobs.map((blob) => ({ realm_id: realmId, blob, started_at: now }));
  tx.delete(uploadKeys.upload(realmId, upload.id));
  tx.delete(uploadKeys.byPath(realmId, upload.path_id));
  tx.delete([...uploadKeys.ofOwner(realmId, upload.owner_id), upload.id]);
  tx.delete(uploadKeys.referencedAt(realmId, upload.id));
  tx.delete(uploadKeys.unreferencedSince(upload.created_at, realmId, upload.id));
  for (const messageId of references.slice(0, MAX_REFERENCES)) {
    tx.delete(uploadKeys.reference(realmId, upload.id, messageId));
  }
  // The sweeper removes the bytes if they cannot be removed right after the commit.
  for (const one of pending) tx.set(pendingKeys.pendingSince(one), one);
  const used = await useUploadSpace(app, tx, { realmId, bytes: -upload.size });
  countRemovedFile(tx, { realmId, now }, upload);
  sendAttachmentRemoveEvent(tx, { realmId, upload, used, now });
  return { realmId, uploadId: upload.id, pending };
}

/** Deletes the bytes of a removed upload and its remaining references. */
export async function deleteRemovedBlob(
  app: ChatApp,
  { realmId, uploadId, pending }: RemovedUpload,
): Promise<void> {
  await deleteBlob(app.store, uploadKeys.references(realmId, uploadId));
  for (const blob of pending) await dropPending(app.store, blob);
}
