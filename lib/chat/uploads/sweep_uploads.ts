import { createWorker, HOURLY, type Worker } from "@/lib/core/worker.ts";
import { type Entry, type Key, toEntry } from "@/lib/kv/key.ts";
import { dropPending, type PendingBlob, pendingKeys } from "@/lib/kv/pending_blob.ts";
import { transact } from "@/lib/kv/transact.ts";
import type { ChatApp } from "../app.ts";
import { listClaims } from "./claims.ts";
import { dropRemoved, removeUpload } from "./remove_upload.ts";
import { uploadKeys, uploadQueue, type UploadRecord } from "./upload.ts";

const DAY_MS = 86_400_000;
/** How long a file waits for a message that links it. */
const UNCLAIMED_MS = 5 * 7 * DAY_MS;
/** How long bytes without a record may still be being written. */
export const PENDING_MS = DAY_MS;

/**
 * Removes files that no message linked for weeks, and bytes that an interruption left over; several servers on one store
 * may do so at the same time.
 */
export function createUploadSweeper(app: ChatApp, report: (error: unknown) => void): Worker {
  return createWorker((isStopped) => sweepUploads(app, { isStopped, report }), { ...HOURLY, report });
}

/** Whether it is to end, and who hears of what could not be removed. */
interface Sweep {
  readonly isStopped: () => boolean;
  readonly report: (error: unknown) => void;
}

async function sweepUploads(app: ChatApp, sweep: Sweep): Promise<number> {
  const files = await sweepOld(app, sweep, {
    prefix: uploadKeys.unclaimed,
    age: UNCLAIMED_MS,
    remove: async ({ key }) => {
      const [, since, realmId, id] = key.map(Number);
      if (since === undefined || realmId === undefined || id === undefined) return false;
      return await removeUnclaimed(app, { since, realmId, id });
    },
  });
  const blobs = await sweepOld<PendingBlob>(app, sweep, {
    prefix: pendingKeys.pending,
    age: PENDING_MS,
    remove: async ({ value }) => {
      await dropPending(app.store, value);
      return true;
    },
  });
  return files + blobs;
}

/** Rows that lie by time, and what is done with those of an age: whether something was removed. */
interface OldRows<T> {
  readonly prefix: Key;
  readonly age: number;
  readonly remove: (row: Entry<T>) => Promise<boolean>;
}

async function sweepOld<T>(
  { store, clock }: ChatApp,
  { isStopped, report }: Sweep,
  { prefix, age, remove }: OldRows<T>,
): Promise<number> {
  let removed = 0;
  const range = { start: [...prefix], end: [...prefix, clock.now() - age] };
  for await (const entry of store.kv.list(range, { batchSize: 100 })) {
    if (isStopped()) break;
    // One that fails must not keep those behind it; it is tried again next time.
    await remove(toEntry<T>(entry)).then((isRemoved) => removed += Number(isRemoved), report);
  }
  return removed;
}

/** Whether a file was removed; one that something links is only no longer looked at. */
async function removeUnclaimed(
  app: ChatApp,
  { since, realmId, id }: { since: number; realmId: number; id: number },
): Promise<boolean> {
  const removed = await transact(app.store, async (tx) => {
    tx.delete(uploadKeys.unclaimedSince(since, realmId, id));
    // A message that links it meanwhile changes this, and the work is done again.
    await tx.get(uploadKeys.claimedAt(realmId, id));
    const upload = await tx.get<UploadRecord>(uploadKeys.upload(realmId, id));
    if (upload === null || (await listClaims(app, realmId, { id, limit: 1 })).length > 0) return null;
    return await removeUpload(app, tx, { realmId, upload, claims: [] });
  }, uploadQueue(realmId));
  if (removed === null) return false;
  await dropRemoved(app, removed);
  return true;
}
