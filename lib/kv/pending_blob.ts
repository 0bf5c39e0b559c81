import { deleteBlob } from "./blob.ts";
import type { Key } from "./key.ts";
import type { Store } from "./open.ts";
import { transact } from "./transact.ts";

/** Bytes that are being stored, or were left over by an interruption. */
export interface PendingBlob {
  readonly realm_id: number;
  readonly blob: string;
  /** Milliseconds since 1970 UTC. */
  readonly started_at: number;
  /** What the bytes' keys begin with behind the organization's id; files' where it is left out. */
  readonly place?: string;
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

/** Removes bytes that have no record; those that were given one meanwhile stay. */
export async function dropPending(store: Store, pending: PendingBlob): Promise<void> {
  const key = pendingKeys.pendingSince(pending);
  if ((await store.kv.get([...key])).value === null) return;
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
