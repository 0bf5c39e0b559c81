import { propertiesParams } from "@/lib/chat/subscriptions/params.ts";
import { setProperties } from "@/lib/chat/subscriptions/set_properties.ts";
import { apiEndpoint } from "@/lib/http/api_endpoint.ts";
import { methods } from "@/lib/http/methods.ts";

export const handler = methods({
  POST: apiEndpoint({
    summary: "Update properties of your subscriptions",
    description: "All changes take effect in their order, or none does.",
    who: "anyone",
    params: propertiesParams,
  }, async ({ app, realm, user, params }) => {
    const changes = params.subscription_data.map(({ stream_id, ...sent }) => ({
      channelId: stream_id,
      ...sent,
    }));
    await setProperties(app, { realm, actingUser: user }, changes);
  }),
});
