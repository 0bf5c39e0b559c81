import { apiEndpoint } from "@/lib/api/api_endpoint.ts";
import { methods } from "@/lib/api/methods.ts";
import {
  createdReminderSchema,
  createReminderParams,
  remindersSchema,
  toReminder,
} from "@/lib/chat/reminders/api.ts";
import { createReminder } from "@/lib/chat/reminders/create_reminder.ts";
import { listReminders } from "@/lib/chat/reminders/store.ts";

export const handler = methods({
  GET: apiEndpoint({
    summary: "List your reminders",
    access: "anyone",
    params: {},
    success: remindersSchema,
  }, async ({ app, realm, user }) => {
    const reminders = await listReminders(app, { realm, user });
    return { reminders: reminders.map((reminder) => toReminder({ realm, user }, reminder)) };
  }),
  POST: apiEndpoint({
    summary: "Create a reminder of a message",
    access: "anyone",
    params: createReminderParams,
    success: createdReminderSchema,
  }, async ({ app, realm, user, params }) => ({
    reminder_id: await createReminder(app, { realm, user }, params),
  })),
});
