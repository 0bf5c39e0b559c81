import { createBot } from "@/lib/chat/accounts/create_bot.ts";
import { listOwnBots } from "@/lib/chat/accounts/list_own_bots.ts";
import { createBotParams } from "@/lib/chat/accounts/params.ts";
import { botsSchema, madeBotSchema } from "@/lib/chat/accounts/schema.ts";
import { toMadeBot } from "@/lib/chat/accounts/view.ts";
import { apiEndpoint } from "@/lib/http/api_endpoint.ts";
import { methods } from "@/lib/http/methods.ts";

export const handler = methods({
  GET: apiEndpoint({
    summary: "List the active bots that you own, with their API keys",
    who: "human_member",
    params: {},
    success: botsSchema,
  }, async ({ app, realm, user }) => ({ bots: await listOwnBots(app, { realm, actingUser: user }) })),
  POST: apiEndpoint({
    summary: "Make a bot that you own",
    who: "human_member",
    params: createBotParams,
    success: madeBotSchema,
  }, async ({ app, realm, user, params }) => {
    return toMadeBot(app, realm, await createBot(app, { realm, actingUser: user }, params));
  }),
});
