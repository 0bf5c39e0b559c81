import { AppError } from "@/lib/core/errors.ts";
import { transact } from "@/lib/store/transact.ts";
import type { ChatApp } from "../app.ts";
import { getVisibleMessage } from "../messages/access.ts";
import { toInlineHtml } from "../messages/store.ts";
import { prepareContent } from "../messages/prepare_content.ts";
import { peekPermissionContext } from "../permissions/store.ts";
import type { ParamValues } from "../params/param.ts";
import { toDueTime } from "../scheduled_messages/model.ts";
import { getActingUser } from "../users/store.ts";
import type { createReminderParams } from "./api.ts";
import { sendReminderEvent } from "./events.ts";
import { formatReminder } from "./format_reminder.ts";
import { reminderLock, type ReminderOwner, type ReminderRecord } from "./model.ts";
import { addReminder } from "./store.ts";

/**
 * Stores a reminder of a message and returns its id.
 * @throws AppError BAD_REQUEST for a message that the user cannot see and for a time that is not in the
 * future.
 */
export async function createReminder(
  app: ChatApp,
  owner: ReminderOwner,
  { message_id, scheduled_delivery_timestamp, note = "" }: ParamValues<typeof createReminderParams>,
): Promise<number> {
  const { realm, user } = owner;
  toDueTime(scheduled_delivery_timestamp, app.clock.now());
  const permissions = await peekPermissionContext(app, realm);
  const visible = await getVisibleMessage(app, permissions, { id: message_id, user });
  const content = formatReminder(app, owner, { visible, note });
  // The notification bot may know users and channels that the user may not.
  const rendered = toInlineHtml(await prepareContent(app, { realm, author: user }, content));
  if (rendered === null) throw new AppError("BAD_REQUEST", "The note has too many links.");
  return await transact(app.store, async (tx) => {
    await getActingUser(tx, realm.id, user);
    const now = app.clock.now();
    const record: ReminderRecord = {
      id: await tx.nextId("reminder"),
      message_id,
      content,
      rendered,
      due_at: toDueTime(scheduled_delivery_timestamp, now),
      failure: null,
    };
    await addReminder(tx, owner, record);
    sendReminderEvent(tx, now, { owner, record });
    return record.id;
  }, reminderLock(owner));
}
