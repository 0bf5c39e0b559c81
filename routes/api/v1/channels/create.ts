import { createChannel } from "@/lib/chat/channels/create_channel.ts";
import { createChannelParams, createdChannelSchema } from "@/lib/chat/channels/api.ts";
import { subscriptionMessageParams } from "@/lib/chat/channels/subscriptions/api.ts";
import { apiEndpoint, methods } from "@/lib/api/api_endpoint.ts";

export const handler = methods({
  POST: apiEndpoint({
    summary: "Create a channel",
    description: "Subscribes exactly the listed users. A channel with subscribers is announced.",
    access: "member",
    params: { ...createChannelParams, ...subscriptionMessageParams },
    success: createdChannelSchema,
    refusals: ["CHANNEL_ALREADY_EXISTS", "REQUEST_VARIABLE_INVALID", "UNAUTHORIZED_PRINCIPAL"],
  }, async ({ app, caller, params }) => {
    const { id } = await createChannel(app, caller, params);
    return { id };
  }),
});
