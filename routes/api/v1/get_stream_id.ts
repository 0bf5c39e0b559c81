import { getChannelId } from "@/lib/chat/channels/list_channels.ts";
import { channelIdParams, channelIdSchema } from "@/lib/chat/channels/api.ts";
import { apiEndpoint, methods } from "@/lib/api/api_endpoint.ts";

export const handler = methods({
  GET: apiEndpoint({
    summary: "Get a channel's id by its name",
    access: "anyone",
    params: channelIdParams,
    success: channelIdSchema,
  }, async ({ app, caller, params }) => {
    return { stream_id: await getChannelId(app, caller, params.stream) };
  }),
});
