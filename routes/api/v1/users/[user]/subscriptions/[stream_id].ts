import { isSubscribedSchema } from "@/lib/chat/subscriptions/schema.ts";
import { isSubscribed } from "@/lib/chat/subscriptions/subscribers.ts";
import { apiEndpoint } from "@/lib/http/api_endpoint.ts";
import { methods } from "@/lib/http/methods.ts";

export const handler = methods({
  GET: apiEndpoint({
    summary: "Tell whether a user is subscribed to a channel",
    who: "anyone",
    params: {},
    ids: ["user", "stream_id"],
    success: isSubscribedSchema,
  }, async ({ app, realm, user, ids }) => {
    const question = { userId: ids.user, channelId: ids.stream_id };
    return { is_subscribed: await isSubscribed(app, { realm, actingUser: user }, question) };
  }),
});
