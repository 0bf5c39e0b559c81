import { editTypingParams, setEditTypingStatus } from "@/lib/chat/messages/typing.ts";
import { apiEndpoint, methods } from "@/lib/api/api_endpoint.ts";

export const handler = methods({
  POST: apiEndpoint(
    {
      summary: "Set typing status while editing a message",
      description: "For your own messages.",
      access: "anyone",
      ids: ["message_id"],
      params: editTypingParams,
    },
    ({ app, caller, ids, params }) =>
      setEditTypingStatus(app, caller, { messageId: ids.message_id, op: params.op }),
  ),
});
