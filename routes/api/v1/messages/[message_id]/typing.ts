import { editTypingParams } from "@/lib/chat/typing/api.ts";
import { setEditTypingStatus } from "@/lib/chat/typing/set_edit_typing_status.ts";
import { apiEndpoint } from "@/lib/api/api_endpoint.ts";
import { methods } from "@/lib/api/methods.ts";

export const handler = methods({
  POST: apiEndpoint({
    summary: "Set typing status while editing a message",
    description: "For your own messages.",
    access: "anyone",
    ids: ["message_id"],
    params: editTypingParams,
  }, async ({ app, realm, user, ids, params }) => {
    await setEditTypingStatus(app, { realm, user }, { messageId: ids.message_id, op: params.op });
  }),
});
