import { toEntry } from "@/lib/kv/key.ts";
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

/** Removes files that no message linked for weeks, and bytes that an interruption left over; gives how many of both. */
export async function sweepUploads(app: ChatApp, isStopped: () => boolean): Promise<number> {
  const now = app.clock.now();
  let removed = 0;
  const { kv } = app.store;
  const old = (prefix: readonly string[], age: number) => ({
    start: [...prefix],
    end: [...prefix, now - age],
  });
  for await (const { key } of kv.list(old(uploadKeys.unclaimed, UNCLAIMED_MS), { batchSize: 100 })) {
    if (isStopped()) return removed;
    const [, since, realmId, id] = key.map(Number);
    if (since === undefined || realmId === undefined || id === undefined) continue;
    if (await removeUnclaimed(app, { since, realmId, id })) removed++;
  }
  for await (const entry of kv.list(old(pendingKeys.pending, PENDING_MS), { batchSize: 100 })) {
    if (isStopped()) return removed;
    await dropPending(app.store, toEntry<PendingBlob>(entry).value);
    removed++;
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
