import { AppError } from "@/lib/core/errors.ts";
import { listPage } from "@/lib/store/reads.ts";
import type { Tx } from "@/lib/store/transact.ts";
import type { ChatApp } from "../app.ts";
import {
  BULK_ACTION_KEPT_MS,
  bulkActionKeys,
  type BulkActionRecord,
  type BulkItem,
  CHUNK_ITEMS,
} from "./model.ts";

/** Reads an action; null when none exists. */
export function readBulkAction(
  { reads }: ChatApp,
  realmId: number,
  id: number,
): Promise<BulkActionRecord | null> {
  if (!Number.isSafeInteger(id)) return Promise.resolve(null);
  return reads.read<BulkActionRecord>(bulkActionKeys.action(realmId, id));
}

/** Lists the newest actions of an organization, newest first. */
export async function listBulkActions(
  { store }: ChatApp,
  realmId: number,
  limit: number,
): Promise<readonly BulkActionRecord[]> {
  const request = { limit, cursor: null, reverse: true };
  const { entries } = await listPage<BulkActionRecord>(store.kv, bulkActionKeys.actions(realmId), request);
  return entries.map(({ value }) => value);
}

/** Returns an action within a transaction.
 * @throws AppError NOT_FOUND. */
export async function getBulkAction(tx: Tx, realmId: number, id: number): Promise<BulkActionRecord> {
  const key = bulkActionKeys.action(realmId, id);
  const action = Number.isSafeInteger(id) ? await tx.get<BulkActionRecord>(key) : null;
  if (action === null) throw new AppError("NOT_FOUND", "No such bulk action.");
  return action;
}

/** Writes an action, which expires some time after its last change. */
export function putBulkAction(tx: Tx, realmId: number, action: BulkActionRecord): void {
  tx.set(bulkActionKeys.action(realmId, action.id), action, { expireIn: BULK_ACTION_KEPT_MS });
}

/** Returns items of an action, all in one stored record. */
export async function getBulkItems(
  tx: Tx,
  realmId: number,
  { id, from, count }: { id: number; from: number; count: number },
): Promise<readonly BulkItem[]> {
  const key = bulkActionKeys.items(realmId, id, Math.floor(from / CHUNK_ITEMS));
  const items = await tx.peek<readonly BulkItem[]>(key) ?? [];
  return items.slice(from % CHUNK_ITEMS, from % CHUNK_ITEMS + count);
}
