import { AppError } from "@/lib/core/errors.ts";
import { toEntry } from "@/lib/store/key.ts";
import { listValues } from "@/lib/store/reads.ts";
import type { Tx } from "@/lib/store/transact.ts";
import type { ChatApp } from "../app.ts";
import { deleteHtmlPieces, writeHtmlPieces } from "../messages/store.ts";
import {
  MAX_SCHEDULED_MESSAGES,
  scheduledMessageKeys,
  type ScheduledMessageOwner,
  type ScheduledMessageRecord,
} from "./model.ts";

/** Records per read of the store: few reads, each with at most 4 MB. */
const BATCH = 50;

/** Lists a user's scheduled messages, the next one first. */
export async function listScheduledMessages(
  { store }: ChatApp,
  { realm, user }: ScheduledMessageOwner,
): Promise<ScheduledMessageRecord[]> {
  const prefix = scheduledMessageKeys.messages(realm.id, user.id);
  const records = await listValues<ScheduledMessageRecord>(store.kv, prefix, { batchSize: BATCH });
  return records.sort((one, other) => one.due_at - other.due_at || one.id - other.id);
}

/** Reads the HTML of a scheduled message, from its record or from its pieces. */
export async function readScheduledHtml(
  { store }: ChatApp,
  realmId: number,
  { id, rendered }: ScheduledMessageRecord,
): Promise<string> {
  if (rendered !== null) return rendered;
  let html = "";
  const pieces = store.kv.list({ prefix: [...scheduledMessageKeys.rendered(realmId, id)] });
  for await (const piece of pieces) html += toEntry<string>(piece).value;
  return html;
}

/**
 * Returns a scheduled message in a transaction.
 * @throws AppError BAD_REQUEST with status 404 when the owner has no such message.
 */
export async function getScheduledMessage(
  tx: Tx,
  { realm, user }: ScheduledMessageOwner,
  id: number,
): Promise<ScheduledMessageRecord> {
  const key = scheduledMessageKeys.message(realm.id, user.id, id);
  const record = Number.isSafeInteger(id) ? await tx.get<ScheduledMessageRecord>(key) : null;
  if (record !== null) return record;
  throw new AppError("BAD_REQUEST", "Scheduled message does not exist", { status: 404 });
}

/**
 * Counts a new scheduled message.
 * @throws AppError BAD_REQUEST when the user has the maximum number.
 */
export async function countNewMessage(tx: Tx, { realm, user }: ScheduledMessageOwner): Promise<void> {
  const key = scheduledMessageKeys.count(realm.id, user.id);
  const count = await tx.get<number>(key) ?? 0;
  if (count >= MAX_SCHEDULED_MESSAGES) {
    throw new AppError("BAD_REQUEST", `You can schedule ${MAX_SCHEDULED_MESSAGES} messages at most.`);
  }
  tx.set(key, count + 1);
}

/** Writes a new or changed scheduled message with its due row; `html` is undefined when it is unchanged. */
export function putScheduledMessage(
  tx: Tx,
  { realm, user }: ScheduledMessageOwner,
  { before, record, html }: {
    before: ScheduledMessageRecord | null;
    record: ScheduledMessageRecord;
    html?: string | undefined;
  },
): void {
  const row = { realmId: realm.id, userId: user.id, id: record.id };
  if (before !== null) tx.delete(scheduledMessageKeys.due(before.due_at, row));
  if (record.failure === null) tx.set(scheduledMessageKeys.due(record.due_at, row), true);
  tx.set(scheduledMessageKeys.message(realm.id, user.id, record.id), record);
  if (html === undefined) return;
  const pieces = scheduledMessageKeys.rendered(realm.id, record.id);
  const count = record.rendered === null ? writeHtmlPieces(tx, pieces, html) : 0;
  if (before !== null && before.rendered === null) deleteHtmlPieces(tx, pieces, count);
}

/** Removes a scheduled message with its due row. */
export async function removeScheduledMessage(
  tx: Tx,
  { realm, user }: ScheduledMessageOwner,
  record: ScheduledMessageRecord,
): Promise<void> {
  const row = { realmId: realm.id, userId: user.id, id: record.id };
  tx.delete(scheduledMessageKeys.due(record.due_at, row));
  tx.delete(scheduledMessageKeys.message(realm.id, user.id, record.id));
  if (record.rendered === null) deleteHtmlPieces(tx, scheduledMessageKeys.rendered(realm.id, record.id), 0);
  const key = scheduledMessageKeys.count(realm.id, user.id);
  const count = (await tx.get<number>(key) ?? 1) - 1;
  if (count > 0) tx.set(key, count);
  else tx.delete(key);
}
