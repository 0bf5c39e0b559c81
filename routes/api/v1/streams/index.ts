import { listChannels } from "@/lib/chat/channels/list.ts";
import { listChannelsParams } from "@/lib/chat/channels/params.ts";
import { channelsSchema } from "@/lib/chat/channels/schema.ts";
import { apiEndpoint } from "@/lib/http/api_endpoint.ts";
import { methods } from "@/lib/http/methods.ts";

export const handler = methods({
  GET: apiEndpoint({
    summary: "List channels",
    description: "The channels that you may know of, as far as they are asked for, by name.",
    who: "anyone",
    params: listChannelsParams,
    success: channelsSchema,
    refusals: ["UNAUTHORIZED_PRINCIPAL"],
  }, async ({ app, realm, user, params }) => {
    return { streams: await listChannels(app, { realm, actingUser: user }, params) };
  }),
});
