import { deactivateBot, updateBot } from "@/lib/chat/people/bots/manage_bots.ts";
import { updateBotParams, updatedBotSchema } from "@/lib/chat/people/users/bot_events.ts";
import { apiEndpoint, methods } from "@/lib/api/api_endpoint.ts";

export const handler = methods({
  PATCH: apiEndpoint({
    summary: "Update a bot",
    description: "Allowed for the bot's owner and administrators.",
    access: "human_member",
    params: updateBotParams,
    ids: ["bot_id"],
    success: updatedBotSchema,
    refusals: ["UNAUTHORIZED_PRINCIPAL"],
  }, ({ app, caller, params, ids }) => {
    return updateBot(app, caller, { id: ids.bot_id, changes: params });
  }),
  DELETE: apiEndpoint({
    summary: "Deactivate a bot",
    description: "Allowed for the bot's owner and administrators.",
    access: "human_member",
    ids: ["bot_id"],
    refusals: ["UNAUTHORIZED_PRINCIPAL"],
  }, ({ app, caller, ids }) => deactivateBot(app, caller, ids.bot_id)),
});
