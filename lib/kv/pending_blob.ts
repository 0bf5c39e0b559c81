import { AppError } from "@/lib/core/errors.ts";
import { deleteBlob } from "./blob.ts";
import type { Key } from "./key.ts";
import type { Store } from "./open.ts";
import { transact, type Tx } from "./transact.ts";

/** Bytes that are being stored, or were left over by an interruption. */
export interface PendingBlob {
  readonly realm_id: number;
  readonly blob: string;
  /** Milliseconds since 1970 UTC. */
  readonly started_at: number;
  /** What the bytes' keys begin with behind the organization's id; files' where it is left out. */
  readonly place?: string;
  /** Whether they are being removed. */
  readonly is_dropped?: boolean;
}

/** Where the chunks of files lie. */
const FILES = "upload_chunk";

/** Where blobs without a record are noted, by when their writing began, and where their chunks lie. */
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

/** A name for bytes that are to be stored, noted so that an interruption leaves nothing for ever; `now` in milliseconds. */
export async function notePending(
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
 * Notes, in the commit that writes their record, that bytes have one.
 * @throws AppError NOT_FOUND for bytes that have one already, or are removed because they waited for too long.
 */
export async function settlePending(tx: Tx, pending: PendingBlob): Promise<void> {
  const key = pendingKeys.pendingSince(pending);
  const noted = await tx.get<PendingBlob>(key);
  if (noted === null || noted.is_dropped === true) throw new AppError("NOT_FOUND", "Nothing is here.");
  tx.delete(key);
}

/** Removes bytes that have no record; those that were given one meanwhile stay. */
export async function dropPending(store: Store, pending: PendingBlob): Promise<void> {
  const key = pendingKeys.pendingSince(pending);
  const isDropped = await transact(store, async (tx) => {
    if (await tx.get(key) === null) return false;
    // From here on they are given no record.
    tx.set(key, { ...pending, is_dropped: true } satisfies PendingBlob);
    return true;
  });
  if (!isDropped) return;
  await deleteBlob(store.kv, pendingKeys.chunks(pending));
  await transact(store, (tx) => Promise.resolve(tx.delete(key)));
}

/** Like `dropPending`, after a failure: bytes that cannot be removed now are swept later. */
export async function abandonPending(store: Store, pending: PendingBlob): Promise<void> {
  try {
    await dropPending(store, pending);
  } catch {
    // What failed before is what has to be told.
  }
}
