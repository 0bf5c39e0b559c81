import { propertyParams } from "@/lib/chat/subscriptions/params.ts";
import { toPropertyValue } from "@/lib/chat/subscriptions/property.ts";
import { setProperties } from "@/lib/chat/subscriptions/set_properties.ts";
import { apiEndpoint } from "@/lib/http/api_endpoint.ts";
import { methods } from "@/lib/http/methods.ts";

export const handler = methods({
  PATCH: apiEndpoint({
    summary: "Update a property of one of your subscriptions",
    who: "anyone",
    params: propertyParams,
    ids: ["stream_id"],
  }, async ({ app, realm, user, params, ids }) => {
    const { property, value } = params;
    const change = { channelId: ids.stream_id, property, value: toPropertyValue(value) };
    await setProperties(app, { realm, actingUser: user }, [change]);
  }),
});
