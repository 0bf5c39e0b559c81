import { toEntry } from "@/lib/store/key.ts";
import { transact } from "@/lib/store/transact.ts";
import type { ChatApp } from "../app.ts";
import { type ReservationRecord, RESUMABLE_UPLOAD_MS, uploadKeys, uploadLock } from "./model.ts";
import { releaseUploadSpace } from "./store.ts";

/** Maximum number of reservations released at once; more are left to the next call. */
const MAX_RELEASED = 100;

/** Releases the space that expired resumable uploads of all organizations reserved. */
export async function releaseExpiredUploads({ store, clock }: ChatApp): Promise<void> {
  const prefix = uploadKeys.reservations;
  const range = { start: [...prefix], end: [...prefix, clock.now() - RESUMABLE_UPLOAD_MS + 1] };
  for await (const entry of store.kv.list(range, { limit: MAX_RELEASED })) {
    const [, createdAt, realmId, id] = toEntry<ReservationRecord>(entry).key;
    const reservation = { createdAt: Number(createdAt), realmId: Number(realmId), id: String(id) };
    await transact(store, (tx) => releaseUploadSpace(tx, reservation), uploadLock(reservation.realmId));
  }
}
