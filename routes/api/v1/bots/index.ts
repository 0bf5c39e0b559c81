import { createBot, listOwnBots } from "@/lib/chat/people/bots/manage_bots.ts";
import {
  createBotParams,
  createdBotSchema,
  ownBotsSchema,
  toCreatedBot,
} from "@/lib/chat/people/users/bot_events.ts";
import { apiEndpoint, methods } from "@/lib/api/api_endpoint.ts";

export const handler = methods({
  GET: apiEndpoint({
    summary: "List your active bots with their API keys",
    access: "human_member",
    success: ownBotsSchema,
    holdsSecrets: true,
  }, async ({ app, caller }) => ({ bots: await listOwnBots(app, caller) })),
  POST: apiEndpoint({
    summary: "Create a bot",
    access: "human_member",
    params: createBotParams,
    success: createdBotSchema,
    holdsSecrets: true,
  }, async ({ app, realm, caller, params }) => {
    return toCreatedBot(app, realm, await createBot(app, caller, params));
  }),
});
