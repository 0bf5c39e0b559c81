import { apiEndpoint } from "@/lib/api/api_endpoint.ts";
import { methods } from "@/lib/api/methods.ts";
import { deleteReminder } from "@/lib/chat/messages/reminders.ts";

export const handler = methods({
  DELETE: apiEndpoint({
    summary: "Delete a reminder",
    access: "anyone",
    ids: ["reminder_id"],
    params: {},
    refusals: [["BAD_REQUEST", 404]],
  }, ({ app, caller, ids }) => deleteReminder(app, caller, ids.reminder_id)),
});
