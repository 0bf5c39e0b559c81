import { appendBlob, type BlobStore, deleteBlob } from "@/lib/store/blob.ts";
import type { Store } from "@/lib/store/open.ts";
import { transact, type Tx } from "@/lib/store/transact.ts";
import { AppError } from "@/lib/core/errors.ts";
import { namePending, type NewBlob, type PendingBlob, pendingKeys } from "./files/model.ts";

/** Registers a name for bytes that are stored later, so that an interruption leaves nothing behind for good. */
export async function registerPending(store: Store, blob: NewBlob): Promise<PendingBlob> {
  const pending = namePending(blob);
  await transact(store, (tx) => Promise.resolve(tx.set(pendingKeys.pendingSince(pending), pending)));
  return pending;
}

/**
 * Stores the bytes of a named blob, registers it in the first commit, and returns its size in bytes.
 * @throws AppError UNAVAILABLE when the store cannot be written.
 */
export function writePending(
  store: BlobStore,
  pending: PendingBlob,
  content: AsyncIterable<Uint8Array>,
): Promise<number> {
  return appendBlob(store, pendingKeys.chunks(pending), {
    content,
    firstChunk: 0,
    recordStart: (commit) => commit.set(pendingKeys.pendingSince(pending), pending),
  });
}

/**
 * Marks bytes as referenced, in the commit that writes their record.
 * @throws AppError NOT_FOUND for bytes that have a record already, or that are being removed after waiting
 * for too long.
 */
export async function settlePending(tx: Tx, pending: PendingBlob): Promise<void> {
  const key = pendingKeys.pendingSince(pending);
  const stored = await tx.get<PendingBlob>(key);
  if (stored === null || stored.is_dropped === true) throw new AppError("NOT_FOUND", "Nothing is here.");
  tx.delete(key);
}

/** Removes bytes without a record; keeps those that received one meanwhile. */
export async function dropPending(store: Store, pending: PendingBlob): Promise<void> {
  const key = pendingKeys.pendingSince(pending);
  const isDropped = await transact(store, async (tx) => {
    if (await tx.get(key) === null) return false;
    // From this commit on, the bytes cannot receive a record.
    tx.set(key, { ...pending, is_dropped: true } satisfies PendingBlob);
    return true;
  });
  if (!isDropped) return;
  await deleteBlob(store, pendingKeys.chunks(pending));
  await transact(store, (tx) => Promise.resolve(tx.delete(key)));
}

/** Removes bytes like `dropPending` after a failure; bytes that cannot be removed now are swept later. */
export async function abandonPending(store: Store, pending: PendingBlob): Promise<void> {
  try {
    await dropPending(store, pending);
  } catch {
    // The earlier failure is the one to report.
  }
}
