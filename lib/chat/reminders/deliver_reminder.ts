import { isRefusal } from "@/lib/core/errors.ts";
import { NoLongerDue } from "@/lib/store/due_worker.ts";
import type { Key } from "@/lib/store/key.ts";
import type { Tx } from "@/lib/store/transact.ts";
import type { ChatApp } from "../app.ts";
import { getVisibleMessage } from "../messages/access.ts";
import { prepareContent, type PreparedContent } from "../messages/prepare_content.ts";
import { sendMessage } from "../messages/send_message.ts";
import { peekPermissionContext } from "../permissions/store.ts";
import {
  deliverDue,
  type DueDelivery,
  failWithNotice,
  requireActiveOwner,
} from "../scheduled_messages/due_delivery.ts";
import { getNotificationBot } from "../users/notification_bot.ts";
import { sendReminderFailure, sendReminderRemoval } from "./events.ts";
import { appendQuote } from "./format_reminder.ts";
import { reminderKeys, reminderLock, type ReminderOwner, type ReminderRecord } from "./model.ts";
import { failReminder, removeReminder } from "./store.ts";

/** A reminder as it was read, with its user. */
type DueReminder = DueDelivery<ReminderRecord>;

/**
 * Sends the reminder of a due row and removes it in the same commit, so that it is sent once. A reminder of
 * a message that its user can no longer see is kept as failed, with a notice to the user.
 * @throws NoLongerDue when it was sent or deleted meanwhile; other errors leave it due.
 */
export async function deliverReminder(app: ChatApp, key: Key): Promise<void> {
  await deliverDue<ReminderRecord>(app, key, {
    toKey: ({ realmId, userId, id }) => reminderKeys.reminder(realmId, userId, id),
    send,
    fail,
  });
}

async function send(app: ChatApp, due: DueReminder): Promise<void> {
  const { owner, record } = due;
  const { realm, user } = owner;
  const permissions = await peekPermissionContext(app, realm);
  const { message } = await getVisibleMessage(app, permissions, { id: record.message_id, user });
  const bot = await getNotificationBot(app, realm);
  const prepared = await prepareReminder(app, owner, {
    content: record.content,
    quoted: message.content,
  });
  const claim = async (tx: Tx) => {
    await requireWaiting(tx, due);
    await requireActiveOwner(tx, owner);
    await removeReminder(tx, owner, record);
    sendReminderRemoval(tx, app.clock.now(), { owner, id: record.id });
  };
  const target = { kind: "direct", userIds: [user.id] } as const;
  await sendMessage(app, { realm, sender: bot, target, prepared, client: "Internal", claim });
}

/**
 * Renders a reminder with the names that its user may know; leaves out a quoted message that the user may not
 * write.
 */
async function prepareReminder(
  app: ChatApp,
  { realm, user: author }: ReminderOwner,
  { content, quoted }: { content: string; quoted: string },
): Promise<PreparedContent> {
  try {
    return await prepareContent(app, { realm, author }, appendQuote(content, quoted));
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return await prepareContent(app, { realm, author }, content);
  }
}

/** Marks a reminder as failed, in one commit with the notice to its user where they can receive one. */
async function fail(app: ChatApp, due: DueReminder, failure: string): Promise<void> {
  const { owner, record } = due;
  const claim = async (tx: Tx) => {
    await requireWaiting(tx, due);
    const failed = failReminder(tx, owner, { record, failure });
    sendReminderFailure(tx, app.clock.now(), { owner, record: failed });
  };
  const text = "You requested a reminder of a message that was deleted or that you can no longer see.";
  await failWithNotice(app, owner, { text, claim, lock: reminderLock(owner) });
}

/** @throws NoLongerDue when a reminder was sent, deleted or marked as failed since it was read. */
async function requireWaiting(tx: Tx, { owner: { realm, user }, record }: DueReminder): Promise<void> {
  const current = await tx.get<ReminderRecord>(reminderKeys.reminder(realm.id, user.id, record.id));
  if (current === null || current.failure !== null) throw new NoLongerDue();
}
