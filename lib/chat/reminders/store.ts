import { AppError } from "@/lib/core/errors.ts";
import { listValues } from "@/lib/store/reads.ts";
import type { Tx } from "@/lib/store/transact.ts";
import type { ChatApp } from "../app.ts";
import { MAX_REMINDERS, reminderKeys, type ReminderOwner, type ReminderRecord } from "./model.ts";

/** Lists a user's reminders, the next one first. */
export async function listReminders(
  { store }: ChatApp,
  { realm, user }: ReminderOwner,
): Promise<ReminderRecord[]> {
  const records = await listValues<ReminderRecord>(store.kv, reminderKeys.reminders(realm.id, user.id));
  return records.sort((one, other) => one.due_at - other.due_at || one.id - other.id);
}

/**
 * Returns a reminder in a transaction.
 * @throws AppError BAD_REQUEST with status 404 when the owner has no such reminder.
 */
export async function getReminder(
  tx: Tx,
  { realm, user }: ReminderOwner,
  id: number,
): Promise<ReminderRecord> {
  const key = reminderKeys.reminder(realm.id, user.id, id);
  const record = Number.isSafeInteger(id) ? await tx.get<ReminderRecord>(key) : null;
  if (record !== null) return record;
  throw new AppError("BAD_REQUEST", "Reminder does not exist", { status: 404 });
}

/**
 * Stores a new reminder with its due row.
 * @throws AppError BAD_REQUEST when the user has the maximum number.
 */
export async function addReminder(
  tx: Tx,
  { realm, user }: ReminderOwner,
  record: ReminderRecord,
): Promise<void> {
  const key = reminderKeys.count(realm.id, user.id);
  const count = await tx.get<number>(key) ?? 0;
  if (count >= MAX_REMINDERS) {
    throw new AppError("BAD_REQUEST", `You can have ${MAX_REMINDERS} reminders at most.`);
  }
  tx.set(key, count + 1);
  tx.set(reminderKeys.due(record.due_at, { realmId: realm.id, userId: user.id, id: record.id }), true);
  tx.set(reminderKeys.reminder(realm.id, user.id, record.id), record);
}

/** Keeps a reminder as failed; it is not due any more. */
export function failReminder(
  tx: Tx,
  { realm, user }: ReminderOwner,
  { record, failure }: { record: ReminderRecord; failure: string },
): ReminderRecord {
  const failed: ReminderRecord = { ...record, failure };
  tx.delete(reminderKeys.due(record.due_at, { realmId: realm.id, userId: user.id, id: record.id }));
  tx.set(reminderKeys.reminder(realm.id, user.id, record.id), failed);
  return failed;
}

/** Removes a reminder with its due row. */
export async function removeReminder(
  tx: Tx,
  { realm, user }: ReminderOwner,
  { id, due_at }: ReminderRecord,
): Promise<void> {
  tx.delete(reminderKeys.due(due_at, { realmId: realm.id, userId: user.id, id }));
  tx.delete(reminderKeys.reminder(realm.id, user.id, id));
  const key = reminderKeys.count(realm.id, user.id);
  const count = (await tx.get<number>(key) ?? 1) - 1;
  if (count > 0) tx.set(key, count);
  else tx.delete(key);
}
