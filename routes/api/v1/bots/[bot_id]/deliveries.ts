import { webhookDeliveriesSchema } from "@/lib/chat/devices/webhooks/manage_webhook.ts";
import { listDeliveries } from "@/lib/chat/devices/webhooks/manage_webhook.ts";
import { apiEndpoint, methods } from "@/lib/api/api_endpoint.ts";

export const handler = methods({
  GET: apiEndpoint({
    summary: "List the latest deliveries of an outgoing webhook",
    description: "Allowed for the bot's owner and administrators.",
    access: "human_member",
    ids: ["bot_id"],
    success: webhookDeliveriesSchema,
    refusals: ["UNAUTHORIZED_PRINCIPAL"],
  }, async ({ app, caller, ids }) => {
    return { deliveries: await listDeliveries(app, caller, ids.bot_id) };
  }),
});
