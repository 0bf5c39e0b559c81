import { sendTestNotification } from "@/lib/chat/devices/push_notifications/send_batch.ts";
import { described, int, optional } from "@/lib/chat/organization/params/param.ts";
import { apiEndpoint, methods } from "@/lib/api/api_endpoint.ts";

export const handler = methods({
  POST: apiEndpoint({
    summary: "Send a test notification to your devices",
    description: "Responds once a provider has accepted it.",
    access: "human",
    params: {
      device_id: optional(described(int(), "One of your devices. If omitted, all registered devices.")),
    },
    refusals: ["PUSH_SERVICE_NOT_CONFIGURED", "NO_ACTIVE_PUSH_DEVICE"],
  }, async ({ app, services, caller, params }) => {
    await sendTestNotification(app, services.pushDelivery, { ...caller, deviceId: params.device_id });
  }),
});
