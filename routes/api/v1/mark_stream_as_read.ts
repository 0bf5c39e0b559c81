import { markChannelParams } from "@/lib/chat/messages/mark_params.ts";
import { markChannelRead } from "@/lib/chat/messages/mark_read.ts";
import { apiEndpoint } from "@/lib/http/api_endpoint.ts";
import { methods } from "@/lib/http/methods.ts";

export const handler = methods({
  POST: apiEndpoint({
    summary: "Mark a channel as read",
    who: "anyone",
    params: markChannelParams,
  }, ({ app, realm, user, params }) => markChannelRead(app, { realm, user }, params.stream_id)),
});
