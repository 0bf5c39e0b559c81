import { transact } from "@/lib/store/transact.ts";
import type { ChatApp } from "../app.ts";
import { sendReminderRemoval } from "./events.ts";
import { reminderLock, type ReminderOwner } from "./model.ts";
import { getReminder, removeReminder } from "./store.ts";

/**
 * Deletes a reminder, which is then not sent.
 * @throws AppError BAD_REQUEST with status 404 when the owner has no such reminder.
 */
export async function deleteReminder(app: ChatApp, owner: ReminderOwner, id: number): Promise<void> {
  await transact(app.store, async (tx) => {
    await removeReminder(tx, owner, await getReminder(tx, owner, id));
    sendReminderRemoval(tx, app.clock.now(), { owner, id });
  }, reminderLock(owner));
}
