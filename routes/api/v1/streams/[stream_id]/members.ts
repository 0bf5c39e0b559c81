import { subscribersSchema } from "@/lib/chat/subscriptions/schema.ts";
import { listChannelMembers } from "@/lib/chat/subscriptions/subscribers.ts";
import { apiEndpoint } from "@/lib/http/api_endpoint.ts";
import { methods } from "@/lib/http/methods.ts";

export const handler = methods({
  GET: apiEndpoint({
    summary: "List a channel's subscribers",
    who: "anyone",
    params: {},
    ids: ["stream_id"],
    success: subscribersSchema,
  }, async ({ app, realm, user, ids }) => {
    return { subscribers: await listChannelMembers(app, { realm, actingUser: user }, ids.stream_id) };
  }),
});
