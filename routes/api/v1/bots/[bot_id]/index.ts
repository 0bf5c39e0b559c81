import { deactivateBot } from "@/lib/chat/accounts/deactivate_user.ts";
import { updateBotParams } from "@/lib/chat/accounts/params.ts";
import { updatedBotSchema } from "@/lib/chat/accounts/schema.ts";
import { updateBot } from "@/lib/chat/accounts/update_bot.ts";
import { apiEndpoint } from "@/lib/http/api_endpoint.ts";
import { methods } from "@/lib/http/methods.ts";

export const handler = methods({
  PATCH: apiEndpoint({
    summary: "Change a bot",
    description: "Its owner may, and administrators.",
    who: "human_member",
    params: updateBotParams,
    ids: ["bot_id"],
    success: updatedBotSchema,
  }, ({ app, realm, user, params, ids }) => {
    return updateBot(app, { realm, actingUser: user }, { id: ids.bot_id, changes: params });
  }),
  DELETE: apiEndpoint({
    summary: "Deactivate a bot",
    description: "Its owner may, and administrators.",
    who: "human_member",
    params: {},
    ids: ["bot_id"],
  }, async ({ app, realm, user, ids }) => {
    await deactivateBot(app, { realm, actingUser: user }, ids.bot_id);
  }),
});
