import { z } from "zod";
import { described, int, optional, scalar, trimmed } from "../params/param.ts";
import { MAX_TIMESTAMP } from "../scheduled_messages/model.ts";
import { MAX_REMINDER_NOTE, type ReminderOwner, type ReminderRecord } from "./model.ts";

/** Parameters of creating a reminder. */
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

/** A reminder as the API returns it. */
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

/** Response of listing reminders. */
export const remindersSchema = z.object({
  reminders: z.array(reminderSchema).meta({ description: "The next one first." }),
});

/** Response of creating a reminder. */
export const createdReminderSchema = z.object({ reminder_id: z.int() });

/** Converts a reminder for clients. */
export function toReminder(
  { user }: ReminderOwner,
  { id, message_id, content, rendered, due_at, failure }: ReminderRecord,
): z.infer<typeof reminderSchema> {
  return {
    reminder_id: id,
    type: "private",
    to: [user.id],
    content,
    rendered_content: rendered,
    scheduled_delivery_timestamp: due_at / 1000,
    failed: failure !== null,
    reminder_target_message_id: message_id,
  };
}
