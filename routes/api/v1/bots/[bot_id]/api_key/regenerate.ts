import { regenerateBotKey } from "@/lib/chat/accounts/regenerate_bot_key.ts";
import { apiKeySchema } from "@/lib/chat/accounts/schema.ts";
import { apiEndpoint } from "@/lib/http/api_endpoint.ts";
import { methods } from "@/lib/http/methods.ts";

export const handler = methods({
  POST: apiEndpoint({
    summary: "Give a bot another API key",
    description: "The key before is refused from then on.",
    who: "human_member",
    needsKey: true,
    params: {},
    ids: ["bot_id"],
    success: apiKeySchema,
  }, ({ app, realm, user, ids }) => regenerateBotKey(app, { realm, actingUser: user }, ids.bot_id)),
});
