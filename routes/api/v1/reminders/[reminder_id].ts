import { apiEndpoint, methods } from "@/lib/api/api_endpoint.ts";
import { deleteReminder } from "@/lib/chat/messages/reminders.ts";

export const handler = methods({
  DELETE: apiEndpoint({
    summary: "Delete a reminder",
    access: "anyone",
    ids: ["reminder_id"],
    refusals: [["BAD_REQUEST", 404]],
  }, ({ app, caller, ids }) => deleteReminder(app, caller, ids.reminder_id)),
});
