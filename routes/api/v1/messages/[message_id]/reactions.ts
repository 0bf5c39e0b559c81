import { addReaction, removeReaction } from "@/lib/chat/messages/change_reactions.ts";
import { addReactionParams, removeReactionParams } from "@/lib/chat/messages/reactions.ts";
import { apiEndpoint } from "@/lib/api/api_endpoint.ts";
import { methods } from "@/lib/api/methods.ts";

export const handler = methods({
  POST: apiEndpoint(
    {
      summary: "Add a reaction",
      access: "anyone",
      ids: ["message_id"],
      params: addReactionParams,
      refusals: ["REACTION_ALREADY_EXISTS"],
    },
    ({ app, realm, user, ids, params }) =>
      addReaction(app, { realm, user }, { messageId: ids.message_id, sent: params }),
  ),
  DELETE: apiEndpoint(
    {
      summary: "Remove a reaction",
      access: "anyone",
      ids: ["message_id"],
      params: removeReactionParams,
      refusals: ["REACTION_DOES_NOT_EXIST"],
    },
    ({ app, realm, user, ids, params }) =>
      removeReaction(app, { realm, user }, { messageId: ids.message_id, sent: params }),
  ),
});
