import { updateDefaultChannels } from "@/lib/chat/channels/update_channel.ts";
import { defaultChannelParams } from "@/lib/chat/channels/api.ts";
import { apiEndpoint, methods } from "@/lib/api/api_endpoint.ts";

export const handler = methods({
  POST: apiEndpoint({
    summary: "Add a default channel",
    description: "New users are subscribed to it.",
    access: "admin",
    params: defaultChannelParams,
  }, ({ app, caller, params }) => updateDefaultChannels(app, caller, params.stream_id, true)),
  DELETE: apiEndpoint({
    summary: "Remove a default channel",
    access: "admin",
    params: defaultChannelParams,
  }, ({ app, caller, params }) => updateDefaultChannels(app, caller, params.stream_id, false)),
});
