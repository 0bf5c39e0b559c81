import { historyParams, messageHistorySchema } from "@/lib/chat/messages/edit/api.ts";
import { readMessageHistory } from "@/lib/chat/messages/edit/read_message_history.ts";
import { apiEndpoint } from "@/lib/api/api_endpoint.ts";
import { methods } from "@/lib/api/methods.ts";

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
