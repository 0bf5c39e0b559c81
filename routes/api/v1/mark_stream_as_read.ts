import { markChannelParams } from "@/lib/chat/messages/read/api.ts";
import { markChannelRead } from "@/lib/chat/messages/read/mark_read.ts";
import { apiEndpoint } from "@/lib/api/api_endpoint.ts";
import { methods } from "@/lib/api/methods.ts";

export const handler = methods({
  POST: apiEndpoint({
    summary: "Mark a channel as read",
    access: "anyone",
    params: markChannelParams,
  }, ({ app, realm, user, params }) => markChannelRead(app, { realm, user }, params.stream_id)),
});
