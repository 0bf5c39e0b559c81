import { AppError } from "@/lib/core/errors.ts";
import type { Tx } from "@/lib/kv/transact.ts";
import type { ChatApp } from "../app.ts";
import { MIB, uploadKeys, type UploadRecord } from "./model.ts";

/** A change of the uploads that a message links, as lists of upload ids. */
export interface ReferenceChange {
  readonly realmId: number;
  readonly messageId: number;
  readonly before: readonly number[];
  readonly after: readonly number[];
  /** Milliseconds since 1970 UTC. */
  readonly now: number;
}

/**
 * Updates a message's attachment references. An upload that loses one is queued for the sweeper, which checks
 * whether other messages still link it. At most three writes for each changed upload.
 */
export function updateReferences(tx: Tx, { realmId, messageId, before, after, now }: ReferenceChange): void {
  for (const id of after) {
    if (before.includes(id)) continue;
    tx.set(uploadKeys.reference(realmId, id, messageId), true);
    tx.set(uploadKeys.referencedAt(realmId, id), now);
  }
  for (const id of before) {
    if (after.includes(id)) continue;
    tx.delete(uploadKeys.reference(realmId, id, messageId));
    tx.set(uploadKeys.unreferencedSince(now, realmId, id), true);
  }
}

/** Returns the ids of the messages that link an upload, ascending. */
export async function listReferences(
  { store }: Pick<ChatApp, "store">,
  realmId: number,
  { id, limit }: { id: number; limit: number },
): Promise<readonly number[]> {
  const messageIds: number[] = [];
  const listing = store.kv.list({ prefix: [...uploadKeys.references(realmId, id)] }, { limit });
  for await (const { key } of listing) messageIds.push(Number(key.at(-1)));
  return messageIds;
}

/** Returns the ids, among those passed, of uploads that exist in the transaction's view. */
export async function filterExistingUploads(
  tx: Tx,
  realmId: number,
  ids: readonly number[],
): Promise<readonly number[]> {
  const uploads = await Promise.all(ids.map((id) => tx.get<UploadRecord>(uploadKeys.upload(realmId, id))));
  return uploads.filter((upload) => upload !== null).map(({ id }) => id);
}

/**
 * Adds to the organization's used space and returns the new total in bytes. A negative `bytes` releases
 * space.
 * @throws AppError REALM_UPLOAD_QUOTA.
 */
export async function useUploadSpace(
  app: Pick<ChatApp, "config">,
  tx: Tx,
  space: { readonly realmId: number; readonly bytes: number },
): Promise<number> {
  const used = await requireUploadSpace(app, tx, space);
  tx.set(uploadKeys.spaceUsed(space.realmId), used);
  return used;
}

/**
 * Returns the space that the organization would use with `bytes` more, in bytes.
 * @throws AppError REALM_UPLOAD_QUOTA.
 */
export async function requireUploadSpace(
  { config }: Pick<ChatApp, "config">,
  tx: Tx,
  { realmId, bytes }: { readonly realmId: number; readonly bytes: number },
): Promise<number> {
  const used = (await tx.get<number>(uploadKeys.spaceUsed(realmId)) ?? 0) + bytes;
  const quota = config.uploadQuotaMib * MIB;
  if (bytes > 0 && quota > 0 && used > quota) {
    throw new AppError("REALM_UPLOAD_QUOTA", "Upload would exceed your organization's upload quota.");
  }
  return used;
}
