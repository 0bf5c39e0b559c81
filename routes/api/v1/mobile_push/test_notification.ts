import { sendLegacyTestNotification } from "@/lib/chat/devices/push_notifications/send_batch.ts";
import { described, optional, text } from "@/lib/chat/organization/params/param.ts";
import { apiEndpoint, methods } from "@/lib/api/api_endpoint.ts";

export const handler = methods({
  POST: apiEndpoint({
    summary: "Send a test notification, for older clients",
    description: "Like `POST /mobile_push/e2ee/test_notification` for all registered devices.",
    access: "human",
    params: {
      token: optional(described(text(), "Push token of an older app; always refused, as none is stored.")),
    },
    refusals: ["PUSH_SERVICE_NOT_CONFIGURED", "NO_ACTIVE_PUSH_DEVICE", "INVALID_PUSH_DEVICE_TOKEN"],
  }, async ({ app, services, caller, params }) => {
    await sendLegacyTestNotification(app, services.pushDelivery, { ...caller, token: params.token });
  }),
}, { isOldName: true });
