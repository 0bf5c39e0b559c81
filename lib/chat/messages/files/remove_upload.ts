import type { Sweep } from "@/lib/core/worker.ts";
import type { ChatApp } from "@/lib/chat/organization/app.ts";
import { countRemovedFile } from "@/lib/chat/organization/statistics/store.ts";
import type { Caller } from "@/lib/chat/organization/users/model.ts";
import { AppError } from "@/lib/core/errors.ts";
import { afterCommit } from "@/lib/store/durably.ts";
import { deleteBlob } from "@/lib/store/blob.ts";
import { transact, type Tx } from "@/lib/store/transact.ts";
import { listReferences, sendAttachmentEvent, useUploadSpace } from "./store.ts";
import { dropPending } from "@/lib/chat/organization/pending_blobs.ts";
import {
  PENDING_MS,
  type PendingBlob,
  pendingKeys,
  uploadKeys,
  uploadLock,
  type UploadRecord,
} from "@/lib/chat/organization/files/model.ts";
import { type Entry, type Key, toEntry } from "@/lib/store/key.ts";
import { releaseExpiredUploads } from "./resumable_uploads.ts";

/** References removed in one commit; `deleteRemovedBlob` removes the others. */
const MAX_REFERENCES = 500;

/** An upload whose record is removed and whose bytes are still stored. */
interface RemovedUpload {
  readonly realmId: number;
  readonly uploadId: number;
  /** The bytes of the file and of its thumbnail. */
  readonly pending: readonly PendingBlob[];
}

/**
 * Removes an upload's record, index entries and references, and sends its owner an event. `references` are
 * the ids of the messages that link it. Call `deleteRemovedBlob` after the commit to remove the bytes.
 */
async function removeUpload(
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
  sendAttachmentEvent(tx, { realmId, now }, { op: "remove", upload, used });
  return { realmId, uploadId: upload.id, pending };
}

/** Deletes the bytes of a removed upload and its remaining references. */
async function deleteRemovedBlob(
  app: ChatApp,
  { realmId, uploadId, pending }: RemovedUpload,
): Promise<void> {
  await deleteBlob(app.store, uploadKeys.references(realmId, uploadId));
  for (const blob of pending) await dropPending(app.store, blob);
}

/**
 * Deletes a file that the caller uploaded. Links to it in messages stay and no longer work.
 * @throws AppError BAD_REQUEST if the file does not exist or belongs to another user.
 */
export async function deleteAttachment(
  app: ChatApp,
  { realm, actingUser }: Caller,
  id: number,
): Promise<void> {
  const realmId = realm.id;
  const removed = await transact(app.store, async (tx) => {
    // A message that links the file meanwhile changes this value, and the transaction is retried.
    await tx.get(uploadKeys.referencedAt(realmId, id));
    const upload = await tx.get<UploadRecord>(uploadKeys.upload(realmId, id));
    if (upload === null || upload.owner_id !== actingUser.id) {
      throw new AppError("BAD_REQUEST", "Invalid attachment");
    }
    const references = await listReferences(app, realmId, { id, limit: MAX_REFERENCES });
    return await removeUpload(app, tx, { realmId, upload, references });
  }, uploadLock(realmId));
  await afterCommit(() => deleteRemovedBlob(app, removed));
}

/** Time that an upload is kept without a reference, in milliseconds: five weeks. */
const UNREFERENCED_MS = 5 * 7 * 86_400_000;

/** Removes unreferenced uploads and bytes that interrupted ones left behind; returns their number. */
export async function sweepUploads(app: ChatApp, sweep: Sweep): Promise<number> {
  await releaseExpiredUploads(app).catch(sweep.report);
  const uploads = await sweepRows(app, sweep, {
    prefix: uploadKeys.unreferenced,
    age: UNREFERENCED_MS,
    remove: async ({ key }) => {
      const [, since, realmId, id] = key.map(Number);
      if (since === undefined || realmId === undefined || id === undefined) return false;
      return await removeUnreferenced(app, { since, realmId, id });
    },
  });
  const blobs = await sweepRows<PendingBlob>(app, sweep, {
    prefix: pendingKeys.pending,
    age: PENDING_MS,
    remove: async ({ value }) => {
      await dropPending(app.store, value);
      return true;
    },
  });
  return uploads + blobs;
}

/** Rows ordered by time, with the age in milliseconds from which `remove` handles them. */
interface ExpiredRows<T> {
  readonly prefix: Key;
  readonly age: number;
  readonly remove: (row: Entry<T>) => Promise<boolean>;
}

async function sweepRows<T>(
  { store, clock }: ChatApp,
  { isStopped, report }: Sweep,
  { prefix, age, remove }: ExpiredRows<T>,
): Promise<number> {
  let removed = 0;
  const range = { start: [...prefix], end: [...prefix, clock.now() - age] };
  for await (const entry of store.kv.list(range, { batchSize: 100 })) {
    if (isStopped()) break;
    // A failed row does not block those after it. The next sweep retries it.
    await remove(toEntry<T>(entry)).then((isRemoved) => removed += Number(isRemoved), report);
  }
  return removed;
}

/** Removes an upload without a reference and returns true; otherwise only ends the watch on it. */
async function removeUnreferenced(
  app: ChatApp,
  { since, realmId, id }: { since: number; realmId: number; id: number },
): Promise<boolean> {
  const removed = await transact(app.store, async (tx) => {
    tx.delete(uploadKeys.unreferencedSince(since, realmId, id));
    // A message that links the file meanwhile changes this value, and the transaction is retried.
    await tx.get(uploadKeys.referencedAt(realmId, id));
    const upload = await tx.get<UploadRecord>(uploadKeys.upload(realmId, id));
    if (upload === null || (await listReferences(app, realmId, { id, limit: 1 })).length > 0) return null;
    return await removeUpload(app, tx, { realmId, upload, references: [] });
  }, uploadLock(realmId));
  if (removed === null) return false;
  await deleteRemovedBlob(app, removed);
  return true;
}
