import { z } from "zod";
import { AppError, isRefusal } from "@/lib/core/errors.ts";
import type { Key } from "@/lib/store/key.ts";
import { transact, type Tx } from "@/lib/store/transact.ts";
import type { ChatApp } from "../organization/app.ts";
import { Collection } from "../organization/collection.ts";
import { sendEvent } from "../organization/events/send_events.ts";
import { getVisibleMessage } from "./access.ts";
import { MAX_MESSAGE_LENGTH, type VisibleMessage } from "./model.ts";
import { prepareContent, type PreparedContent } from "./prepare_content.ts";
import { toInlineHtml } from "./store.ts";
import { realmUrl } from "../organization/organizations/model.ts";
import { described, int, optional, type ParamValues, scalar, trimmed } from "../organization/params/param.ts";
import { permissionsOf } from "../organization/permissions/store.ts";
import { formatNarrowHref } from "../organization/rendering/urls.ts";
import { deliverDue, type DueDelivery } from "./scheduled_messages/deliver.ts";
import { MAX_TIMESTAMP, toDueTime } from "./scheduled_messages/model.ts";
import type { Caller } from "../organization/users/model.ts";
import { getActingUser } from "../organization/users/store.ts";
import { getNotificationBot } from "../people/put_user.ts";

/** A message of which the notification bot will remind a user. */
interface ReminderRecord {
  readonly id: number;
  readonly message_id: number;
  /** Markdown: what the bot will write, without the quoted message. */
  readonly content: string;
  /** HTML of `content`. */
  readonly rendered: string;
  /** Time to send it, in milliseconds since 1970 UTC. */
  readonly due_at: number;
  /** Reason for which it was not sent; null while it waits. */
  readonly failure: string | null;
}

/** The reminders of each user, with those that failed. */
export const reminders = new Collection<ReminderRecord>({
  name: "reminder",
  plural: "reminders",
  max: 100,
  full: (max) => `You can have ${max} reminders at most.`,
  missing: "Reminder does not exist",
  dueAt: ({ due_at, failure }) => failure === null ? due_at : null,
});

/** Maximum length of a note in code points. */
export const MAX_REMINDER_NOTE = 500;
/** Maximum length of a quoted message in code points, so that the reminder is a message of allowed length. */
const MAX_QUOTE_LENGTH = MAX_MESSAGE_LENGTH - 3000;

/** Lists a user's reminders for clients, the next one first. */
export async function listReminders(app: ChatApp, caller: Caller): Promise<z.infer<typeof remindersSchema>> {
  const records = await reminders.list(app, caller);
  records.sort((a, b) => a.due_at - b.due_at || a.id - b.id);
  return { reminders: records.map((record) => toReminder(caller, record)) };
}

/**
 * Stores a reminder of a message and returns its id.
 * @throws AppError BAD_REQUEST for a message that the caller cannot see, for a time that is not in the future, and
 * when the caller has the maximum number.
 */
export async function createReminder(
  app: ChatApp,
  caller: Caller,
  { message_id, scheduled_delivery_timestamp, note = "" }: ParamValues<typeof createReminderParams>,
): Promise<number> {
  const { realm, actingUser: user } = caller;
  toDueTime(scheduled_delivery_timestamp, app.clock.now());
  const permissions = permissionsOf(await app.readOrganization(realm.id), app.clock);
  const visible = await getVisibleMessage(app, permissions, { id: message_id, user });
  const content = formatReminder(app, caller, { visible, note });
  // The notification bot may know users and channels that the user may not.
  const rendered = toInlineHtml(await prepareContent(app, { realm, author: user }, content));
  if (rendered === null) throw new AppError("BAD_REQUEST", "The note has too many links.");
  return await transact(app.store, async (tx) => {
    await getActingUser(tx, realm.id, user);
    const now = app.clock.now();
    const due_at = toDueTime(scheduled_delivery_timestamp, now);
    const record = { id: await tx.nextId("reminder"), message_id, content, rendered, due_at, failure: null };
    await reminders.add(tx, caller, record);
    sendReminderEvent(tx, now, { caller, op: "add", reminders: [toReminder(caller, record)] });
    return record.id;
  }, reminders.lock(caller));
}

/** Returns the Markdown of a reminder without the quoted message: a link, and the note. */
function formatReminder(
  app: ChatApp,
  { realm }: Caller,
  { visible: { message, channel, conversation }, note }: { visible: VisibleMessage; note: string },
): string {
  const href = channel === null
    ? `/#narrow/dm/${conversation?.user_ids.join(",") ?? ""}/near/${message.id}`
    : formatNarrowHref(channel, message.topic, String(message.id));
  const link = `You requested a reminder for [this message](${realmUrl(app, realm)}${href}).`;
  if (note === "") return link;
  return `${link}\n\nNote:\n${note.split("\n").map((line) => `> ${line}`).join("\n")}`;
}

/**
 * Deletes a reminder, which is then not sent.
 * @throws AppError BAD_REQUEST with status 404 when the caller has no such reminder.
 */
export async function deleteReminder(app: ChatApp, caller: Caller, id: number): Promise<void> {
  await transact(app.store, async (tx) => {
    await reminders.delete(tx, caller, await reminders.get(tx, caller, id));
    sendReminderEvent(tx, app.clock.now(), { caller, op: "remove", reminder_id: id });
  }, reminders.lock(caller));
}

/** Sends the reminder of a due row as `deliverDue` does; it fails if its user can no longer see the message. */
export async function deliverReminder(app: ChatApp, key: Key): Promise<void> {
  await deliverDue<ReminderRecord>(app, key, {
    collection: reminders,
    isUnchanged: ({ failure }) => failure === null,
    prepare,
    remove: async (app, tx, { owner: caller, record }) => {
      await reminders.delete(tx, caller, record);
      sendReminderEvent(tx, app.clock.now(), { caller, op: "remove", reminder_id: record.id });
    },
    fail: ({ clock }, tx, { owner: caller, record, failure }) => {
      const failed = { ...record, failure };
      reminders.replace(tx, caller, { before: record, after: failed });
      // Clients know no event that changes a reminder.
      sendReminderEvent(tx, clock.now(), { caller, op: "remove", reminder_id: record.id });
      sendReminderEvent(tx, clock.now(), { caller, op: "add", reminders: [toReminder(caller, failed)] });
    },
    toNotice: () => "You requested a reminder of a message that was deleted or that you can no longer see.",
  });
}

async function prepare(
  app: ChatApp,
  { owner, record: { message_id: id, content } }: DueDelivery<ReminderRecord>,
) {
  const { realm, actingUser: user } = owner;
  const permissions = permissionsOf(await app.readOrganization(realm.id), app.clock);
  const { message } = await getVisibleMessage(app, permissions, { id, user });
  const prepared = await prepareReminder(app, owner, { content, quoted: message.content });
  const target = { kind: "direct", userIds: [user.id] } as const;
  return { realm, sender: await getNotificationBot(app, realm), target, prepared, client: "Internal" };
}

/**
 * Renders a reminder with the names that its user may know; leaves out a quoted message that the user may not
 * write.
 */
async function prepareReminder(
  app: ChatApp,
  { realm, actingUser: author }: Caller,
  { content, quoted }: { content: string; quoted: string },
): Promise<PreparedContent> {
  try {
    return await prepareContent(app, { realm, author }, appendQuote(content, quoted));
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return await prepareContent(app, { realm, author }, content);
  }
}

/** Returns a reminder with its message quoted, shortened where it would be too long. */
function appendQuote(content: string, quoted: string): string {
  const units = [...quoted];
  const isShort = units.length <= MAX_QUOTE_LENGTH;
  const text = isShort ? quoted : `${units.slice(0, MAX_QUOTE_LENGTH).join("")}…`;
  const longest = Math.max(2, ...Array.from(text.matchAll(/[`~]{3,}/g), ([fence]) => fence.length));
  const fence = "`".repeat(longest + 1);
  return `${content}\n\n${fence}quote\n${text}\n${fence}`;
}

function sendReminderEvent(
  tx: Tx,
  now: number,
  { caller, ...change }: { caller: Caller; op: string; [member: string]: unknown },
): void {
  const event = { type: "reminders", ...change };
  sendEvent(tx, { realmId: caller.realm.id, now }, { event, audience: [caller.actingUser.id] });
}

export const createReminderParams = {
  message_id: described(int(), "Id of the message to be reminded of."),
  scheduled_delivery_timestamp: described(
    scalar(z.int().max(MAX_TIMESTAMP)),
    "Time of the reminder, in seconds since 1970 UTC.",
  ),
  note: described(
    optional(trimmed({ max: MAX_REMINDER_NOTE })),
    "Text that the reminder contains; Markdown.",
  ),
};

const reminderSchema = z.object({
  reminder_id: z.int(),
  type: z.literal("private"),
  to: z.array(z.int()).meta({ description: "The id of the user." }),
  content: z.string().meta({ description: "Markdown; the reminder quotes the message as well." }),
  rendered_content: z.string(),
  scheduled_delivery_timestamp: z.int().meta({ description: "Seconds since 1970 UTC." }),
  failed: z.boolean().meta({ description: "Whether the server tried to send the reminder and could not." }),
  reminder_target_message_id: z.int(),
}).meta({ id: "Reminder" });

export const remindersSchema = z.object({
  reminders: z.array(reminderSchema).meta({ description: "The next one first." }),
});

export const createdReminderSchema = z.object({ reminder_id: z.int() });

function toReminder(
  { actingUser }: Caller,
  { id, message_id, content, rendered, due_at, failure }: ReminderRecord,
): z.infer<typeof reminderSchema> {
  return {
    reminder_id: id,
    type: "private",
    to: [actingUser.id],
    content,
    rendered_content: rendered,
    scheduled_delivery_timestamp: due_at / 1000,
    failed: failure !== null,
    reminder_target_message_id: message_id,
  };
}
