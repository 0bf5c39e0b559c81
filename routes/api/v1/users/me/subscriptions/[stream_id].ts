import { propertyParams } from "@/lib/chat/channels/subscriptions/api.ts";
import { parsePropertyValue } from "@/lib/chat/channels/subscriptions/model.ts";
import { updateSubscriptionProperties } from "@/lib/chat/channels/subscriptions/edit_subscriptions.ts";
import { apiEndpoint, methods } from "@/lib/api/api_endpoint.ts";

export const handler = methods({
  PATCH: apiEndpoint({
    summary: "Update a property of one of your subscriptions",
    access: "anyone",
    params: propertyParams,
    ids: ["stream_id"],
  }, async ({ app, caller, params, ids }) => {
    const { property, value } = params;
    const change = { channelId: ids.stream_id, property, value: parsePropertyValue(value) };
    await updateSubscriptionProperties(app, caller, [change]);
  }),
});
