import { markChannelParams } from "@/lib/chat/messages/read/fetch_messages.ts";
import { markChannelRead } from "@/lib/chat/messages/read_state.ts";
import { apiEndpoint, methods } from "@/lib/api/api_endpoint.ts";

export const handler = methods({
  POST: apiEndpoint({
    summary: "Mark a channel as read",
    access: "anyone",
    params: markChannelParams,
  }, ({ app, caller, params }) => markChannelRead(app, caller, { channelId: params.stream_id })),
});
