import { getChannelId } from "@/lib/chat/channels/get.ts";
import { channelIdParams } from "@/lib/chat/channels/params.ts";
import { channelIdSchema } from "@/lib/chat/channels/schema.ts";
import { apiEndpoint } from "@/lib/http/api_endpoint.ts";
import { methods } from "@/lib/http/methods.ts";

export const handler = methods({
  GET: apiEndpoint({
    summary: "Find a channel's id by its name",
    who: "anyone",
    params: channelIdParams,
    success: channelIdSchema,
  }, async ({ app, realm, user, params }) => {
    return { stream_id: await getChannelId(app, { realm, actingUser: user }, params.stream) };
  }),
});
