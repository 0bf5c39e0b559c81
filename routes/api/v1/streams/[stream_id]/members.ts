import { subscribersSchema } from "@/lib/chat/channels/subscriptions/api.ts";
import { listChannelSubscribers } from "@/lib/chat/channels/subscriptions/list_subscriptions.ts";
import { apiEndpoint, methods } from "@/lib/api/api_endpoint.ts";

export const handler = methods({
  GET: apiEndpoint({
    summary: "List a channel's subscribers",
    access: "anyone",
    ids: ["stream_id"],
    success: subscribersSchema,
  }, async ({ app, caller, ids }) => {
    return { subscribers: await listChannelSubscribers(app, caller, ids.stream_id) };
  }),
});
