import { apiEndpoint, methods } from "@/lib/api/api_endpoint.ts";
import {
  createdReminderSchema,
  createReminder,
  createReminderParams,
  listReminders,
  remindersSchema,
} from "@/lib/chat/messages/reminders.ts";

export const handler = methods({
  GET: apiEndpoint({
    summary: "List your reminders",
    access: "anyone",
    success: remindersSchema,
  }, ({ app, caller }) => listReminders(app, caller)),
  POST: apiEndpoint({
    summary: "Create a reminder of a message",
    access: "anyone",
    params: createReminderParams,
    success: createdReminderSchema,
  }, async ({ app, caller, params }) => ({ reminder_id: await createReminder(app, caller, params) })),
});
