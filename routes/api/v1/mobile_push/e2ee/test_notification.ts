import { sendTestNotification } from "@/lib/chat/notifications/test_notification.ts";
import { described, int, optional } from "@/lib/chat/params/param.ts";
import { apiEndpoint } from "@/lib/http/api_endpoint.ts";
import { methods } from "@/lib/http/methods.ts";

export const handler = methods({
  POST: apiEndpoint({
    summary: "Send a test notification to your devices",
    description: "Answers when a provider took it.",
    who: "human",
    params: {
      device_id: optional(described(int(), "One of your devices; without it, all that can be told.")),
    },
    refusals: ["PUSH_SERVICE_NOT_CONFIGURED", "NO_ACTIVE_PUSH_DEVICE", "BAD_REQUEST", "UNAVAILABLE"],
  }, async ({ app, services, realm, user, params }) => {
    await sendTestNotification(app, services.courier, { realm, user, deviceId: params.device_id });
  }),
});
