import { AppError } from "@/lib/core/errors.ts";
import { toEntry } from "@/lib/store/key.ts";
import type { Tx } from "@/lib/store/transact.ts";
import type { ChatApp } from "../app.ts";
import { messageKeys } from "../messages/model.ts";
import { settingsKeys, type SettingsRecord } from "../user_settings/model/settings.ts";
import { exportKeys, type ExportRecord, MAX_REMEMBERED } from "./model.ts";

/** Reads the exports of an organization, oldest first. */
export async function readExports(
  { reads }: Pick<ChatApp, "reads">,
  realmId: number,
): Promise<readonly ExportRecord[]> {
  return await reads.read<readonly ExportRecord[]>(exportKeys.exports(realmId)) ?? [];
}

/** Returns the exports of an organization in a transaction, oldest first. */
export async function getExports(tx: Tx, realmId: number): Promise<readonly ExportRecord[]> {
  return await tx.get<readonly ExportRecord[]>(exportKeys.exports(realmId)) ?? [];
}

/**
 * Returns an export.
 * @throws AppError BAD_REQUEST for an unknown id.
 */
export function getExport(exports: readonly ExportRecord[], id: number): ExportRecord {
  const found = exports.find((each) => each.id === id);
  if (found === undefined) throw new AppError("BAD_REQUEST", "Invalid data export ID");
  return found;
}

/**
 * Writes a new or changed export among those of its organization, with the row by which the worker finds it.
 * Returns the exports after the change.
 */
export function putExport(
  tx: Tx,
  { realmId, exports }: { readonly realmId: number; readonly exports: readonly ExportRecord[] },
  record: ExportRecord,
): readonly ExportRecord[] {
  const before = exports.find(({ id }) => id === record.id);
  const after = before === undefined
    ? [...exports, record].slice(-MAX_REMEMBERED)
    : exports.map((each) => each === before ? record : each);
  tx.set(exportKeys.exports(realmId), after);
  if (before !== undefined && before.due_at !== null) {
    tx.delete(exportKeys.due(before.due_at, realmId, record.id));
  }
  if (record.due_at !== null) tx.set(exportKeys.due(record.due_at, realmId, record.id), true);
  return after;
}

/** Lists the ids of the accounts that allow the export of their private data. */
export async function listConsentingIds(
  { store }: Pick<ChatApp, "store">,
  realmId: number,
): Promise<ReadonlySet<number>> {
  const ids = new Set<number>();
  const prefix = [...settingsKeys.all(realmId)];
  for await (const entry of store.kv.list({ prefix }, { batchSize: 500 })) {
    const { key, value } = toEntry<SettingsRecord>(entry);
    if (value.values.allow_private_data_export === true) ids.add(Number(key.at(-1)));
  }
  return ids;
}

/** Counts the messages of an organization; ends at `max`. */
export async function countMessages(
  { store }: Pick<ChatApp, "store">,
  realmId: number,
  max: number,
): Promise<number> {
  let count = 0;
  // The rows of senders are much smaller than the messages.
  const prefix = [...messageKeys.sent(realmId)];
  for await (const _ of store.kv.list({ prefix }, { limit: max, batchSize: 500 })) count++;
  return count;
}
