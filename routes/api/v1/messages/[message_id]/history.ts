import { historyParams } from "@/lib/chat/messages/edit_params.ts";
import { readMessageHistory } from "@/lib/chat/messages/history.ts";
import { historySchema } from "@/lib/chat/messages/schema.ts";
import { apiEndpoint } from "@/lib/http/api_endpoint.ts";
import { methods } from "@/lib/http/methods.ts";

export const handler = methods({
  GET: apiEndpoint(
    {
      summary: "Get a message's history",
      who: "anyone",
      ids: ["message_id"],
      params: historyParams,
      success: historySchema,
    },
    ({ app, realm, user, ids, params }) =>
      readMessageHistory(app, { realm, viewer: user, id: ids.message_id }, params),
  ),
});
