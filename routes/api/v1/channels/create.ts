import { announceNewChannel } from "@/lib/chat/announcements/channels.ts";
import { createChannel } from "@/lib/chat/channels/create.ts";
import { createChannelParams } from "@/lib/chat/channels/params.ts";
import { madeChannelSchema } from "@/lib/chat/channels/schema.ts";
import { apiEndpoint } from "@/lib/http/api_endpoint.ts";
import { methods } from "@/lib/http/methods.ts";

export const handler = methods({
  POST: apiEndpoint({
    summary: "Create a channel",
    description: "Only those who are named are subscribed.",
    who: "member",
    params: createChannelParams,
    success: madeChannelSchema,
    refusals: ["CHANNEL_ALREADY_EXISTS", "REQUEST_VARIABLE_INVALID", "UNAUTHORIZED_PRINCIPAL"],
  }, async ({ app, realm, user, params }) => {
    const happening = { realm, actingUser: user };
    const channel = await createChannel(app, happening, params);
    if (params.subscribers.length > 0) {
      await announceNewChannel(app, happening, { channel, isAnnounced: params.announce });
    }
    return { id: channel.id };
  }),
});
