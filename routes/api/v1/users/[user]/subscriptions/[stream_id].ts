import { isSubscribedSchema } from "@/lib/chat/channels/subscriptions/api.ts";
import { isUserSubscribed } from "@/lib/chat/channels/subscriptions/list_subscriptions.ts";
import { apiEndpoint } from "@/lib/api/api_endpoint.ts";
import { methods } from "@/lib/api/methods.ts";

export const handler = methods({
  GET: apiEndpoint({
    summary: "Get a user's subscription status",
    access: "anyone",
    params: {},
    ids: ["user", "stream_id"],
    success: isSubscribedSchema,
  }, async ({ app, caller, ids }) => {
    const query = { userId: ids.user, channelId: ids.stream_id };
    return { is_subscribed: await isUserSubscribed(app, caller, query) };
  }),
});
