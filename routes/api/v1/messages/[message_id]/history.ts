import { historyParams, messageHistorySchema, readMessageHistory } from "@/lib/chat/messages/edit_history.ts";
import { apiEndpoint, methods } from "@/lib/api/api_endpoint.ts";

export const handler = methods({
  GET: apiEndpoint(
    {
      summary: "Get a message's edit history",
      access: "anyone",
      ids: ["message_id"],
      params: historyParams,
      success: messageHistorySchema,
    },
    ({ app, realm, user, ids, params }) =>
      readMessageHistory(app, { realm, viewer: user, id: ids.message_id }, params),
  ),
});
