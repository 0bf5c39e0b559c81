import {
  getBotStorage,
  getStorageParams,
  removeBotStorage,
  removeStorageParams,
  storageSchema,
  updateBotStorage,
  updateStorageParams,
} from "@/lib/chat/people/bot_storage.ts";
import { apiEndpoint, methods } from "@/lib/api/api_endpoint.ts";

export const handler = methods({
  GET: apiEndpoint({
    summary: "Get a bot's stored values",
    description: "For the calling bot alone: users and other bots cannot read them.",
    access: "bot",
    params: getStorageParams,
    success: storageSchema,
    holdsSecrets: true,
  }, async ({ app, caller, params }) => ({
    storage: await getBotStorage(app, caller, params.keys),
  })),
  PUT: apiEndpoint({
    summary: "Store values for a bot",
    access: "bot",
    params: updateStorageParams,
  }, ({ app, caller, params }) => updateBotStorage(app, caller, params.storage)),
  DELETE: apiEndpoint({
    summary: "Remove a bot's stored values",
    access: "bot",
    params: removeStorageParams,
  }, ({ app, caller, params }) => removeBotStorage(app, caller, params.keys)),
});
