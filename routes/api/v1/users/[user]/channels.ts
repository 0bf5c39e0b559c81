import { userChannelsSchema } from "@/lib/chat/channels/subscriptions/api.ts";
import { listUserChannels } from "@/lib/chat/channels/subscriptions/list_subscriptions.ts";
import { apiEndpoint } from "@/lib/api/api_endpoint.ts";
import { methods } from "@/lib/api/methods.ts";

export const handler = methods({
  GET: apiEndpoint({
    summary: "List the channels of a user",
    description: "The channels that the user is subscribed to, as far as you can see them.",
    access: "anyone",
    params: {},
    success: userChannelsSchema,
  }, async ({ app, caller, ctx }) => ({
    subscribed_channel_ids: await listUserChannels(
      app,
      caller,
      ctx.params["user"] ?? "",
    ),
  })),
});
