import { readersSchema } from "@/lib/chat/messages/read/fetch_messages.ts";
import { listReaders } from "@/lib/chat/messages/read_state.ts";
import { apiEndpoint, methods } from "@/lib/api/api_endpoint.ts";

export const handler = methods({
  GET: apiEndpoint({
    summary: "List the users who have read a message",
    description: "Without its sender, users who turned off read receipts, and users whom you muted or who " +
      "muted you. Refused when the organization turned off read receipts.",
    access: "anyone",
    ids: ["message_id"],
    success: readersSchema,
  }, async ({ app, caller, ids }) => {
    return { user_ids: await listReaders(app, caller, ids.message_id) };
  }),
});
