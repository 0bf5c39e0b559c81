import { emailAddressParams } from "@/lib/chat/channels/api.ts";
import { getEmailAddress } from "@/lib/chat/channels/list_channels.ts";
import { apiEndpoint } from "@/lib/api/api_endpoint.ts";
import { methods } from "@/lib/api/methods.ts";

export const handler = methods({
  GET: apiEndpoint({
    summary: "Get a channel's email address",
    description: "Always refused, because this server does not receive email.",
    access: "anyone",
    ids: ["stream_id"],
    params: emailAddressParams,
  }, ({ app, caller, ids }) => getEmailAddress(app, caller, ids.stream_id)),
});
