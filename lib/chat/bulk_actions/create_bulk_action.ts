import { AppError } from "@/lib/core/errors.ts";
import { transact } from "@/lib/store/transact.ts";
import type { ChatApp } from "../app.ts";
import type { Caller } from "../users/model.ts";
import { getActingAdmin } from "../users/store.ts";
import {
  BULK_ACTION_KEPT_MS,
  bulkActionKeys,
  type BulkActionRecord,
  type BulkChange,
  type BulkItem,
  CHUNK_ITEMS,
  MAX_BULK_ITEMS,
} from "./model.ts";
import { putBulkAction } from "./store.ts";

/** Number of records with items that are written in one commit, which holds some 800 KB. */
const CHUNKS_PER_COMMIT = 10;

/** A bulk action to create. */
export interface NewBulkAction {
  readonly change: BulkChange;
  readonly items: readonly BulkItem[];
  /** Whether the action waits for `startBulkAction`. */
  readonly isDraft?: boolean;
}

/**
 * Creates a change of many accounts, which the background worker applies in the name of the caller, with their
 * permissions at that time. The record follows its items, so that an interrupted creation has no effect.
 * @throws AppError BAD_REQUEST for no or too many items; UNAUTHORIZED_PRINCIPAL.
 */
export async function createBulkAction(
  app: ChatApp,
  caller: Caller,
  { change, items, isDraft = false }: NewBulkAction,
): Promise<BulkActionRecord> {
  if (items.length === 0 || items.length > MAX_BULK_ITEMS) {
    throw new AppError("BAD_REQUEST", `Choose from 1 to ${MAX_BULK_ITEMS} accounts.`);
  }
  const { id: realmId } = caller.realm;
  const id = await transact(app.store, async (tx) => {
    await getActingAdmin(tx, caller);
    return await tx.nextId("bulk_action");
  });
  await writeItems(app, { realmId, id }, items);
  const action = await transact(app.store, async (tx) => {
    const actor = await getActingAdmin(tx, caller);
    const now = app.clock.now();
    const created: BulkActionRecord = {
      ...{ id, change, acting_user_id: actor.id, created_at: now },
      ...{ total: items.length, done: 0, failed: 0, failures: [] },
      state: isDraft ? "draft" : "running",
    };
    putBulkAction(tx, realmId, created);
    if (!isDraft) tx.set(bulkActionKeys.due(now, realmId, id), true);
    return created;
  });
  if (!isDraft) app.wakeBulkActions();
  return action;
}

async function writeItems(
  app: ChatApp,
  { realmId, id }: { realmId: number; id: number },
  items: readonly BulkItem[],
): Promise<void> {
  const chunks = Math.ceil(items.length / CHUNK_ITEMS);
  for (let first = 0; first < chunks; first += CHUNKS_PER_COMMIT) {
    await transact(app.store, (tx) => {
      for (let chunk = first; chunk < Math.min(chunks, first + CHUNKS_PER_COMMIT); chunk++) {
        const part = items.slice(chunk * CHUNK_ITEMS, (chunk + 1) * CHUNK_ITEMS);
        tx.set(bulkActionKeys.items(realmId, id, chunk), part, { expireIn: BULK_ACTION_KEPT_MS });
      }
      return Promise.resolve();
    });
  }
}
