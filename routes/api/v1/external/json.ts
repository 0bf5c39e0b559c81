import {
  incomingWebhookBody,
  incomingWebhookParams,
  postIncomingWebhook,
} from "@/lib/chat/devices/webhooks/post_incoming_webhook.ts";
import { sentMessageSchema, toClientName } from "@/lib/chat/messages/api.ts";
import { apiEndpoint, methods } from "@/lib/api/api_endpoint.ts";
import { readWebhookBody } from "@/lib/api/body.ts";

export const handler = methods({
  POST: apiEndpoint({
    summary: "Post JSON as a message",
    description: "The address of an incoming webhook. Clients that send forms put the JSON into the field " +
      "`payload`.",
    access: "incoming_webhook",
    params: incomingWebhookParams,
    json: incomingWebhookBody,
    success: sentMessageSchema,
    refusals: ["STREAM_DOES_NOT_EXIST", "STREAM_WILDCARD_MENTION_NOT_ALLOWED"],
  }, async ({ app, realm, user, params, ctx }) => {
    const client = toClientName(ctx.req.headers.get("user-agent"));
    const body = await readWebhookBody(ctx);
    return {
      id: await postIncomingWebhook(app, { realm, sender: user, client }, { requested: params, body }),
    };
  }),
});
