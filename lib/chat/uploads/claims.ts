import type { Tx } from "@/lib/kv/transact.ts";
import { uploadKeys, type UploadRecord } from "./upload.ts";

/** A message, the uploads that it links from now on, and those that it linked before; by their ids. */
export interface Claiming {
  readonly realmId: number;
  readonly messageId: number;
  readonly before: readonly number[];
  readonly after: readonly number[];
  /** Milliseconds since 1970 UTC. */
  readonly now: number;
}

/**
 * Notes which uploads a message links. What is linked no more is looked at again after some weeks: it may be linked
 * elsewhere. Three writes for each upload that changes.
 */
export function changeClaims(tx: Tx, { realmId, messageId, before, after, now }: Claiming): void {
  for (const id of after) {
    if (before.includes(id)) continue;
    tx.set(uploadKeys.claim(realmId, id, messageId), true);
    tx.set(uploadKeys.claimedAt(realmId, id), now);
  }
  for (const id of before) {
    if (after.includes(id)) continue;
    tx.delete(uploadKeys.claim(realmId, id, messageId));
    tx.set(uploadKeys.unclaimedSince(now, realmId, id), true);
  }
}

/** The uploads among some ids that are still there, as a transaction sees them: a message links no others. */
export async function stillThere(
  tx: Tx,
  realmId: number,
  ids: readonly number[],
): Promise<readonly number[]> {
  const found = await Promise.all(ids.map((id) => tx.get<UploadRecord>(uploadKeys.upload(realmId, id))));
  return found.filter((upload) => upload !== null).map(({ id }) => id);
}
