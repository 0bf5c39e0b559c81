import { AppError } from "@/lib/core/errors.ts";
import { deleteBlob } from "./blob.ts";
import type { Key } from "./key.ts";
import type { Store } from "./open.ts";
import { transact, type Tx } from "./transact.ts";

/** Bytes that are being stored, or that an interruption left behind. */
export interface PendingBlob {
  readonly realm_id: number;
  readonly blob: string;
  /** Milliseconds since 1970 UTC. */
  readonly started_at: number;
  /** First part of the bytes' keys after the organization's id; that of files by default. */
  readonly place?: string;
  /** Whether the bytes are being removed. */
  readonly is_dropped?: boolean;
}

/** First part of the keys of file chunks. */
const FILES = "upload_chunk";

/** Keys of blobs without a record, by the time when their writing began, and of their chunks. */
export const pendingKeys = {
  pending: ["upload_pending"],
  pendingSince: ({ started_at, realm_id, blob }: PendingBlob): Key => [
    "upload_pending",
    started_at,
    realm_id,
    blob,
  ],
  chunks: ({ realm_id, blob, place = FILES }: PendingBlob): Key => [realm_id, place, blob],
} as const;

/**
 * Registers a name for bytes that are about to be stored, so that an interruption leaves nothing behind for
 * good; `now` in milliseconds.
 */
export async function registerPending(
  store: Store,
  { realmId, now, place }: { readonly realmId: number; readonly now: number; readonly place?: string },
): Promise<PendingBlob> {
  const pending = {
    realm_id: realmId,
    blob: crypto.randomUUID(),
    started_at: now,
    ...(place === undefined ? {} : { place }),
  };
  await transact(store, (tx) => Promise.resolve(tx.set(pendingKeys.pendingSince(pending), pending)));
  return pending;
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
