import { regenerateBotKey } from "@/lib/chat/people/bots/manage_bots.ts";
import { botApiKeySchema } from "@/lib/chat/people/users/bot_events.ts";
import { apiEndpoint, methods } from "@/lib/api/api_endpoint.ts";

export const handler = methods({
  POST: apiEndpoint({
    summary: "Regenerate a bot's API key",
    description: "The old key stops working at once.",
    access: "human_member",
    needsKey: true,
    ids: ["bot_id"],
    success: botApiKeySchema,
    refusals: ["UNAUTHORIZED_PRINCIPAL"],
    holdsSecrets: true,
  }, ({ app, caller, ids }) => regenerateBotKey(app, caller, ids.bot_id)),
});
