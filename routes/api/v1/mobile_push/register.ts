import { registerForPush, registerForPushParams } from "@/lib/chat/devices/register_for_push.ts";
import { apiEndpoint, methods } from "@/lib/api/api_endpoint.ts";

export const handler = methods({
  POST: apiEndpoint({
    summary: "Register a device for push notifications",
    isActivity: false,
    description:
      "The first registration needs the push key and the token; later either can be replaced alone. " +
      "A `device` event reports whether the token was accepted.",
    access: "human",
    params: registerForPushParams,
    refusals: ["PUSH_SERVICE_NOT_CONFIGURED"],
  }, async ({ services, app, caller, params }) => {
    await registerForPush(app, caller, params);
    services.pushRegistrar.wake();
  }),
});
