import { addDefaultChannel, removeDefaultChannel } from "@/lib/chat/channels/defaults.ts";
import { defaultChannelParams } from "@/lib/chat/channels/params.ts";
import { apiEndpoint } from "@/lib/http/api_endpoint.ts";
import { methods } from "@/lib/http/methods.ts";

export const handler = methods({
  POST: apiEndpoint({
    summary: "Add a default channel",
    description: "New accounts are subscribed to it.",
    who: "admin",
    params: defaultChannelParams,
  }, async ({ app, realm, user, params }) => {
    await addDefaultChannel(app, { realm, actingUser: user }, params.stream_id);
  }),
  DELETE: apiEndpoint({
    summary: "Remove a default channel",
    who: "admin",
    params: defaultChannelParams,
  }, async ({ app, realm, user, params }) => {
    await removeDefaultChannel(app, { realm, actingUser: user }, params.stream_id);
  }),
});
