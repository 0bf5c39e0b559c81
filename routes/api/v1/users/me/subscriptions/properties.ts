import { propertiesParams } from "@/lib/chat/channels/subscriptions/api.ts";
import { updateSubscriptionProperties } from "@/lib/chat/channels/subscriptions/edit_subscriptions.ts";
import { apiEndpoint, methods } from "@/lib/api/api_endpoint.ts";

export const handler = methods({
  POST: apiEndpoint({
    summary: "Update properties of your subscriptions",
    description: "Applies the updates in order, all or none.",
    access: "anyone",
    params: propertiesParams,
  }, async ({ app, caller, params }) => {
    const changes = params.subscription_data.map(({ stream_id, ...sent }) => ({
      channelId: stream_id,
      ...sent,
    }));
    await updateSubscriptionProperties(app, caller, changes);
  }),
});
