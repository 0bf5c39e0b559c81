import { fetchMessage } from "@/lib/chat/messages/fetch_one.ts";
import { fetchMessageParams } from "@/lib/chat/messages/fetch_params.ts";
import { fetchedSchema } from "@/lib/chat/messages/schema.ts";
import { apiEndpoint } from "@/lib/http/api_endpoint.ts";
import { methods } from "@/lib/http/methods.ts";

export const handler = methods({
  GET: apiEndpoint(
    {
      summary: "Get a message",
      who: "anyone",
      ids: ["message_id"],
      params: fetchMessageParams,
      success: fetchedSchema,
    },
    ({ app, realm, user, ids, params }) =>
      fetchMessage(app, { realm, viewer: user, id: ids.message_id }, params),
  ),
});
