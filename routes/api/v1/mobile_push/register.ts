import { registerForPushParams } from "@/lib/chat/devices/params.ts";
import { registerForPush } from "@/lib/chat/devices/register_for_push.ts";
import { apiEndpoint } from "@/lib/http/api_endpoint.ts";
import { methods } from "@/lib/http/methods.ts";

export const handler = methods({
  POST: apiEndpoint({
    summary: "Register a device for encrypted notifications",
    description: "At first with the key and the token; later either may be replaced alone. " +
      "Whether the token was taken is told by an event of type `device`.",
    who: "human",
    params: registerForPushParams,
    refusals: ["BAD_REQUEST", "PUSH_SERVICE_NOT_CONFIGURED"],
  }, async ({ services, app, realm, user, params }) => {
    await registerForPush(app, { realm, user }, params);
    services.pushRegistrar.wake();
  }),
});
