import { botApiKeySchema } from "@/lib/chat/people/users/bot_events.ts";
import { getBotKey } from "@/lib/chat/people/bots/manage_bots.ts";
import { apiEndpoint, methods } from "@/lib/api/api_endpoint.ts";

export const handler = methods({
  GET: apiEndpoint({
    summary: "Get a bot's API key",
    description: "For the bot's owner.",
    access: "human_member",
    needsKey: true,
    ids: ["bot_id"],
    success: botApiKeySchema,
    holdsSecrets: true,
  }, ({ app, caller, ids }) => getBotKey(app, caller, ids.bot_id)),
});
