import { userChannelsSchema } from "@/lib/chat/channels/subscriptions/api.ts";
import { listUserChannels } from "@/lib/chat/channels/subscriptions/list_subscriptions.ts";
import { apiEndpoint, methods } from "@/lib/api/api_endpoint.ts";

export const handler = methods({
  GET: apiEndpoint({
    summary: "List the channels of a user",
    description: "The channels that the user is subscribed to, as far as you can see them.",
    access: "anyone",
    success: userChannelsSchema,
  }, async ({ app, caller, ctx }) => ({
    subscribed_channel_ids: await listUserChannels(
      app,
      caller,
      ctx.params["user"] ?? "",
    ),
  })),
});
