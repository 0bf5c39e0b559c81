import { addReaction, removeReaction } from "@/lib/chat/messages/react.ts";
import { addReactionParams, removeReactionParams } from "@/lib/chat/messages/reaction_params.ts";
import { apiEndpoint } from "@/lib/http/api_endpoint.ts";
import { methods } from "@/lib/http/methods.ts";

export const handler = methods({
  POST: apiEndpoint(
    {
      summary: "React to a message",
      who: "anyone",
      ids: ["message_id"],
      params: addReactionParams,
    },
    ({ app, realm, user, ids, params }) =>
      addReaction(app, { realm, user }, { messageId: ids.message_id, sent: params }),
  ),
  DELETE: apiEndpoint(
    {
      summary: "Take a reaction back",
      who: "anyone",
      ids: ["message_id"],
      params: removeReactionParams,
    },
    ({ app, realm, user, ids, params }) =>
      removeReaction(app, { realm, user }, { messageId: ids.message_id, sent: params }),
  ),
});
