import { listChannels } from "@/lib/chat/channels/list_channels.ts";
import { channelsSchema, listChannelsParams } from "@/lib/chat/channels/api.ts";
import { apiEndpoint, methods } from "@/lib/api/api_endpoint.ts";

export const handler = methods({
  GET: apiEndpoint({
    summary: "List channels",
    description: "Returns the requested channels that you can see, by name.",
    access: "anyone",
    params: listChannelsParams,
    success: channelsSchema,
  }, async ({ app, caller, params }) => {
    return { streams: await listChannels(app, caller, params) };
  }),
});
