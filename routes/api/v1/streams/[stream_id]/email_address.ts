import { emailAddressParams } from "@/lib/chat/channels/api.ts";
import { getEmailAddress } from "@/lib/chat/channels/list_channels.ts";
import { apiEndpoint, methods } from "@/lib/api/api_endpoint.ts";

export const handler = methods({
  GET: apiEndpoint({
    summary: "Get a channel's email address",
    description: "Always refused, because this server does not receive email.",
    access: "anyone",
    ids: ["stream_id"],
    params: emailAddressParams,
  }, ({ app, caller, ids }) => getEmailAddress(app, caller, ids.stream_id)),
});
