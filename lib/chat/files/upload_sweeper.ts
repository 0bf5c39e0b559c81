import { createWorker, HOURLY, type Worker } from "@/lib/core/worker.ts";
import { type Entry, type Key, toEntry } from "@/lib/store/key.ts";
import { transact } from "@/lib/store/transact.ts";
import type { ChatApp } from "../app.ts";
import {
  PENDING_MS,
  type PendingBlob,
  pendingKeys,
  uploadKeys,
  uploadLock,
  type UploadRecord,
} from "./model.ts";
import { releaseExpiredUploads } from "./release_expired_uploads.ts";
import { deleteRemovedBlob, removeUpload } from "./remove_upload.ts";
import { dropPending, listReferences } from "./store.ts";

/** Time that an upload is kept without a reference, in milliseconds: five weeks. */
const UNREFERENCED_MS = 5 * 7 * 86_400_000;

/**
 * Creates the worker that removes uploads without a reference and bytes that an interrupted upload left
 * behind, and releases what expired uploads reserved. Several servers may sweep one store at the same time.
 */
export function createUploadSweeper(app: ChatApp, report: (error: unknown) => void): Worker {
  return createWorker((isStopped) => sweepUploads(app, { isStopped, report }), { ...HOURLY, report });
}

/** Control of one sweep: whether to stop, and the receiver of errors. */
interface UploadSweep {
  readonly isStopped: () => boolean;
  readonly report: (error: unknown) => void;
}

/** Returns the number of removed uploads and blobs. */
async function sweepUploads(app: ChatApp, sweep: UploadSweep): Promise<number> {
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
  /** Returns whether something was removed. */
  readonly remove: (row: Entry<T>) => Promise<boolean>;
}

async function sweepRows<T>(
  { store, clock }: ChatApp,
  { isStopped, report }: UploadSweep,
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

/**
 * Removes an upload if it has no reference and returns whether it did; otherwise only ends the watch on it.
 */
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
