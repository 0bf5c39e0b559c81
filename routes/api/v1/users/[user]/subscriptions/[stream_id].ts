import { isSubscribedSchema } from "@/lib/chat/channels/subscriptions/api.ts";
import { isUserSubscribed } from "@/lib/chat/channels/subscriptions/list_subscriptions.ts";
import { apiEndpoint, methods } from "@/lib/api/api_endpoint.ts";

export const handler = methods({
  GET: apiEndpoint({
    summary: "Get a user's subscription status",
    access: "anyone",
    ids: ["user", "stream_id"],
    success: isSubscribedSchema,
  }, async ({ app, caller, ids }) => {
    const query = { userId: ids.user, channelId: ids.stream_id };
    return { is_subscribed: await isUserSubscribed(app, caller, query) };
  }),
});
