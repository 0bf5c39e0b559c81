import {
  addReaction,
  addReactionParams,
  removeReaction,
  removeReactionParams,
} from "@/lib/chat/messages/reactions.ts";
import { apiEndpoint, methods } from "@/lib/api/api_endpoint.ts";

export const handler = methods({
  POST: apiEndpoint(
    {
      summary: "Add a reaction",
      access: "anyone",
      ids: ["message_id"],
      params: addReactionParams,
      refusals: ["REACTION_ALREADY_EXISTS"],
    },
    ({ app, caller, ids, params }) => addReaction(app, caller, { messageId: ids.message_id, sent: params }),
  ),
  DELETE: apiEndpoint(
    {
      summary: "Remove a reaction",
      access: "anyone",
      ids: ["message_id"],
      params: removeReactionParams,
      refusals: ["REACTION_DOES_NOT_EXIST"],
    },
    ({ app, caller, ids, params }) =>
      removeReaction(app, caller, { messageId: ids.message_id, sent: params }),
  ),
});
